import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundleSizes, overBudget } from '../../tools/actions/bundle-size.ts';
import { readManifest } from '../runner/action-manifest.ts';
import { runAction } from '../runner/run-action.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const shipped = new Map(
  readdirSync(join(root, 'dist')).map((name) => [name, readFileSync(join(root, 'dist', name))] as const),
);
const bundle = Array.from(shipped, ([name, bytes]) =>
  name.endsWith('.js') ? bytes.toString('utf8') : '',
).join('\n');
const count = (pattern: RegExp): number => [...bundle.matchAll(pattern)].length;

test('the bundle contains one copy of undici and one of the HTTP client of the toolkit', () => {
  expect(count(/class Agent extends DispatcherBase/gu)).toBe(1);
  expect(count(/^class HttpClientResponse\b/gmu)).toBe(1);
});

test('the licence text of every package in the bundle is shipped with it', () => {
  const licences = shipped.get('licenses.txt')?.toString('utf8') ?? '';
  const packages = new Set(
    Array.from(bundle.matchAll(/\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gu), ([, name = '']) => name),
  );
  expect([...packages]).toEqual(expect.arrayContaining(['undici', 'zod', 'yaml', '@actions/github']));
  for (const name of packages) {
    const text = licences.split(`\n${name}\n`)[1] ?? licences.split(`${name}\n`)[1] ?? '';
    expect(text.slice(0, 2000), name).toMatch(/^[\w.-]+\n[\s\S]*(?:Permission|Apache License)/u);
  }
});

test('dist is within its budget', () => {
  expect(overBudget(shipped)).toEqual([]);
});

test('a dist above its budget is reported with a hint', () => {
  const grown = new Map([...shipped, ['fat.js', new Uint8Array(10_000)]]);
  const message = overBudget(grown, { ...bundleSizes(shipped), 'each stub': 100 }).join('\n');
  expect(message).toContain('dist/, each stub: 10000 bytes, and tools/actions/bundle-budget.ts allows 100.');
  expect(message).toContain('dist/, total:');
  expect(message).not.toContain('loaded by every action:');
  expect(message).toContain('raise the');
});

test('the bundle contains no paths of the build machine', () => {
  expect(bundle).not.toContain(root);
  expect(bundle).not.toContain('.millrace/bundle-');
});

test('every JavaScript action starts a stub that is in dist', async () => {
  const folders = [
    '.',
    ...readdirSync(join(root, 'actions'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
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

// Most tests run actions one after the other in one process.
test.each(['promote', 'publish', 'publish-shared', 'rollback', 'drift', 'variables', 'run', 'review'])(
  'the action %s ends by itself in a process of its own, with its outcome',
  async (name) => {
    const workspace = mkdtempSync(join(tmpdir(), 'millrace-dist-'));
    try {
      const { exitCode, outcome, outputs, summary, annotations } = await runAction({
        path: join(root, 'actions', name),
        workspace,
        event: {},
        eventName: 'push',
        repository: 'demo/warehouse',
        repositoryId: 7,
        sha: '0'.repeat(40),
        ref: 'refs/heads/main',
        apiUrl: 'http://127.0.0.1:1/api/v3',
        serverUrl: 'http://127.0.0.1:1',
      });
      expect([exitCode, outcome, outputs['outcome']]).toEqual([2, 'failure', 'error']);
      expect([summary !== '', annotations.length]).toEqual([true, 1]);
    } finally {
      rmSync(workspace, { recursive: true });
    }
  },
);

const isPreparation = ({ id = '' }: { readonly id?: string | undefined }): boolean =>
  ['validate', 'install'].includes(id);

test.each(['pull-request', 'release', 'test', 'diff'])(
  'no script of the composite %s contains an expression; Node replaces the shell, and only it gets inputs',
  async (name) => {
    const { runs } = await readManifest(join(root, 'actions', name));
    expect(runs.using).toBe('composite');
    const steps = runs.using === 'composite' ? runs.steps : [];
    expect(steps.map(({ run }) => run).join('\n')).not.toContain('${{');
    expect(steps.every(({ shell }) => shell === 'bash')).toBe(true);
    for (const { id, run, env = {} } of steps.filter((step) => !isPreparation(step))) {
      expect(run.trimEnd().split('\n').at(-1), id).toMatch(/^exec node /u);
      expect(Object.keys(env).every((key) => key.startsWith('INPUT_'))).toBe(true);
    }
    const preparations = steps.filter(isPreparation);
    expect(preparations.map(({ env = {} }) => Object.keys(env))).toEqual(preparations.map(() => []));
  },
);

test('every action.yml and README matches the schemas of the inputs', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'tools/actions/generate.ts'), '--check'],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stdout]).toEqual([0, '']);
});
