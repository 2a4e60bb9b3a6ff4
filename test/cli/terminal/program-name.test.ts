import { expect, test } from 'vitest';
import { programName, withProgramName } from '../../../cli/terminal/program-name.ts';
import { inProcess } from '../in-process.ts';

const npx = { npm_command: 'exec' };

test('a text has its commands as the user types them, and everything else as it is', () => {
  const text = 'See `millrace --help`, `millrace.yaml` and millrace lanes; run `millrace test --init a`.';
  expect(withProgramName(text, { env: {} })).toBe(text);
  expect(withProgramName(text, { env: npx })).toBe(
    'See `npx millrace --help`, `millrace.yaml` and millrace lanes; run `npx millrace test --init a`.',
  );
});

test.each([
  ['/usr/local/bin/millrace', 'millrace'],
  ['/usr/local/lib/node_modules/millrace/dist-cli/main.mjs', 'millrace'],
  ['/home/ana/bikes/node_modules/.bin/millrace', 'npx millrace'],
])('started as %s, without npx, as by a git hook, it is %s for the user', (script, name) => {
  expect(programName({ env: {}, script })).toBe(name);
});

test('an error names the command that fixes it as npx started it, and with --json as the docs do', async () => {
  const run = (env: Record<string, string>, ...more: string[]) =>
    inProcess(['lanes', '--nope', ...more], { env });
  expect((await run({})).stderr).toContain('how to fix: See `millrace lanes --help`.');
  expect((await run(npx)).stderr).toContain('how to fix: See `npx millrace lanes --help`.');
  expect((await run(npx, '--json')).stdout).toContain('See `millrace lanes --help`.');
});

test('the help has its usage, its options and its examples as npx started it', async () => {
  const help = async (...words: string[]) => (await inProcess([...words, '--help'], { env: npx })).stdout;
  expect(await help()).toContain('Usage: npx millrace [options] [command]');
  const approve = await help('approve');
  expect(approve).toContain('Usage: npx millrace approve [options] <promotion>');
  expect(approve).toMatch(/as `npx\s+millrace\s+promotions`\s+shows it/);
  expect(approve).toContain('\n  npx millrace approve 4711 --version v1.2.0');
  const operation = await help('api', 'artifacts.list');
  expect(operation).toContain('Usage: npx millrace api artifacts.list [options]');
  expect(operation).toContain('\n  npx millrace api artifacts.list\n');
  expect(operation).toContain('the options of `npx millrace api --help`');
  expect(operation).not.toMatch(/(?<!npx )millrace api/);
});
