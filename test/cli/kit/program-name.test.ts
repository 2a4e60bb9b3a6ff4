import { expect, test } from 'vitest';
import { withProgramName } from '../../../cli/terminal/program-name.ts';
import { inProcess } from '../in-process.ts';

test('a text has its commands as the user types them, and everything else as it is', () => {
  const text = 'See `millrace --help`, `millrace.yaml` and millrace lanes; run `millrace test --init a`.';
  expect(withProgramName(text, {})).toBe(text);
  expect(withProgramName(text, { npm_command: 'exec' })).toBe(
    'See `npx millrace --help`, `millrace.yaml` and millrace lanes; run `npx millrace test --init a`.',
  );
});

test('an error names the command that fixes it as npx started it, and with --json as the docs do', async () => {
  const run = (env: Record<string, string>, ...more: string[]) =>
    inProcess(['lanes', '--nope', ...more], { env });
  expect((await run({})).stderr).toContain('how to fix: See `millrace lanes --help`.');
  const npx = { npm_command: 'exec' };
  expect((await run(npx)).stderr).toContain('how to fix: See `npx millrace lanes --help`.');
  expect((await run(npx, '--json')).stdout).toContain('See `millrace lanes --help`.');
});
