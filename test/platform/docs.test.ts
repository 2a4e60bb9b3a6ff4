import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSeed, readSeed } from '../../platform/index.ts';
import { talk } from './talk.ts';

const house = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(house, 'docs', 'local-platform.md'), 'utf8');
const fenced = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
const blocks = (language: string) =>
  fenced.flatMap(([, named, text = '']) => (named === language ? [text] : []));

test('every seed of the page is accepted', () => {
  const seeds = blocks('yaml');
  expect(seeds).toHaveLength(4);
  for (const seed of seeds) expect(readSeed(seed, { file: 'seed.yaml' })).toHaveProperty('credentials');
});

test('every curl of the page is answered, in the order of the page', async ({ skip }) => {
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
  if (curl === undefined) skip('this machine has no curl');
  // With the runners that the page names.
  const runners = blocks('yaml').find((block) => block.includes('agents:')) ?? '';
  const { agents = {} } = readSeed(runners, { file: 'seed.yaml' });
  await using platform = await talk({ seed: { ...defaultSeed, agents } });
  const commands = blocks('')
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => line.startsWith('curl '));
  expect(commands.length).toBeGreaterThanOrEqual(10);
  for (const command of commands) {
    // One of the API's is refused on purpose.
    const must = command.includes('/_platform') ? `${command} --fail` : command;
    const { stdout } = await promisify(execFile)('sh', ['-c', must], {
      env: { ...process.env, ...platform.platform.environment() },
    });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  }
});

test('the program of the page runs and prints what the page says', async () => {
  const [program = ''] = blocks('ts');
  const folder = mkdtempSync(join(tmpdir(), 'platform-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.mts');
  const platform = pathToFileURL(join(house, 'platform', 'index.ts')).href;
  writeFileSync(file, program.replace('millrace/platform', platform));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toBe('lost 1\n0\n');
});
