import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readManifest } from '../runner/action-manifest.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bundle = readFileSync(join(root, 'dist', 'index.js'), 'utf8');
const count = (pattern: RegExp): number => [...bundle.matchAll(pattern)].length;

test('the bundle holds one copy of undici and one of the HTTP client of the toolkit', () => {
  expect(count(/class Agent extends DispatcherBase/gu)).toBe(1);
  expect(count(/^class HttpClientResponse\b/gmu)).toBe(1);
});

test('the bundle says nothing about the machine that it was made on', () => {
  expect(bundle).not.toContain(root);
  expect(bundle).not.toContain('.millrace/bundle-');
});

test('every JavaScript action starts a stub that is in dist', async () => {
  const folders = [
    '.',
    ...readdirSync(join(root, 'actions'), { withFileTypes: true })
      .filter((e) => e.isDirectory())
      .map(({ name }) => `actions/${name}`),
  ];
  expect(folders.length).toBeGreaterThan(7);
  for (const folder of folders) {
    const { runs } = await readManifest(join(root, folder));
    if (runs.using !== 'node24') continue;
    expect(readFileSync(join(root, folder, runs.main), 'utf8')).toMatch(
      /^import \{ start\w+ \} from '\.\/index\.js';\n\nawait start\w+\(\);\n$/u,
    );
  }
});

test.each(['pull-request', 'release'])(
  'no expression stands in a script of the composite %s, and Node takes the place of the shell',
  async (name) => {
    const { runs } = await readManifest(join(root, 'actions', name));
    expect(runs.using).toBe('composite');
    const steps = runs.using === 'composite' ? runs.steps : [];
    for (const { run, shell, env } of steps) {
      expect(run).not.toContain('${{');
      expect(run.trimEnd().split('\n').at(-1)).toMatch(/^exec node /u);
      expect([shell, Object.keys(env ?? {}).every((key) => key.startsWith('INPUT_'))]).toEqual([
        'bash',
        true,
      ]);
    }
  },
);

test('every action.yml and README says what the schemas of the inputs say', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'actions', 'generate.ts'), '--check'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
});
