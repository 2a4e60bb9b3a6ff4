import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectPrefix } from '../../../actions/kit/checkout/checked-out-tests.ts';
import { digestOf, type NpmRegistry, packed, startNpmRegistry } from './npm-registry.ts';
import { createTestWorkspace, root, type TestActionRun, type TestWorkspace } from './test-action.ts';

const name = '@duckdb/node-api';
const version = '1.5.5-r.5';

/** In place of the real package, one that loads the real one of this clone; its script would fail the installation. */
const archive = packed({
  'package.json': JSON.stringify({ name, version, main: 'index.js', scripts: { install: 'exit 1' } }),
  'index.js': `module.exports = require(${JSON.stringify(join(root, 'node_modules', name))});`,
  // The engine replaces the decoder of texts in this module of the package.
  'vectors/dataAccessors.js': `module.exports = require(${JSON.stringify(join(root, 'node_modules', name, 'lib/vectors/dataAccessors.js'))});`,
});

let folder: string;
let workspace: TestWorkspace;
let registry: NpmRegistry;
/** What the check-out of a pull request names. */
let hostile: NpmRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-install-'));
  registry = await startNpmRegistry(name, version, archive);
  const other = packed({
    'package.json': JSON.stringify({ name, version }),
    'index.js': 'throw new Error("hostile")',
  });
  hostile = await startNpmRegistry(name, version, other);
  workspace = await createTestWorkspace({
    'a.tran.yaml': `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT 1 AS n' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: numbers } }
`,
    'a.test.yaml': 'pipeline: a\ntests: [{ name: one, expect: { tables: { numbers: { count: 1 } } } }]\n',
    '.npmrc': `registry=${hostile.url}\nignore-scripts=false\n`,
    'package.json': JSON.stringify({ dependencies: { [name]: '*' }, scripts: { preinstall: 'exit 1' } }),
  });
  // The action as it is, but its lock file names the package above.
  await cp(join(root, 'actions', 'test'), join(folder, 'actions', 'test'), { recursive: true });
  await symlink(join(root, 'dist'), join(folder, 'dist'));
  const manifest = { name: 'millrace-engine', dependencies: { [name]: version } };
  await writeFile(join(folder, 'actions/test/engine/package.json'), JSON.stringify(manifest));
  const locked = { version, integrity: digestOf(archive), hasInstallScript: true };
  const packages = { '': manifest, [`node_modules/${name}`]: locked };
  const lock = { name: manifest.name, lockfileVersion: 3, requires: true, packages };
  await writeFile(join(folder, 'actions/test/engine/package-lock.json'), JSON.stringify(lock));
});
afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Installs from a registry, which the user's settings of npm name. */
async function install(url: string): Promise<TestActionRun> {
  const home = await mkdtemp(join(folder, 'home-'));
  await mkdir(join(home, 'cache'));
  const settings = [
    `registry=${url}`,
    `cache=${join(home, 'cache')}`,
    'fetch-retries=0',
    'update-notifier=false',
  ];
  await writeFile(join(home, 'npmrc'), `${settings.join('\n')}\n`);
  const env = { NPM_CONFIG_USERCONFIG: join(home, 'npmrc') };
  return await workspace.run({ engine: '' }, { path: join(folder, 'actions', 'test'), env });
}

test('the engine is installed from the lock file, whatever the pull request contains', async () => {
  const result = await install(registry.url);
  expect([result.exitCode, result.log, result.outputs['outcome']]).toEqual([
    0,
    expect.stringContaining('1 test: 1 passed, 0 failed, 0 refused.'),
    'passed',
  ]);
  expect(result.steps).toEqual({ install: 'success', test: 'success' });
  expect(registry.requests).toContain('/archive.tgz');
  expect(hostile.requests).toEqual([]);
});

test('a package whose digest is not in the lock file is not installed, and the step fails with 3', async () => {
  const result = await install(hostile.url);
  expect([result.exitCode, result.outputs['outcome']]).toEqual([3, 'error']);
  expect(result.log).toContain('EINTEGRITY');
  expect(result.annotations).toMatchObject([{ level: 'error', title: 'Millrace: engine-not-installed' }]);
});

test('a registry that cannot be reached fails the step with 3, with a hint for such runners', async () => {
  const { exitCode, annotations, outputs, summary } = await install('http://127.0.0.1:1/');
  expect([exitCode, outputs['outcome']]).toEqual([3, 'error']);
  expect(annotations[0]?.message).toContain(
    'npm could not install the engine: it ended with the exit code 1.',
  );
  expect(annotations[0]?.message).toContain('in the input `engine`');
  expect(summary).toContain('### ❌ Test: error');
});

test('the lock file of the action has the versions and digests of the repository, for all systems', async () => {
  const read = async (file: string) =>
    (JSON.parse(await readFile(join(root, file), 'utf8')) as { packages: Record<string, Locked> }).packages;
  const [own, all] = [await read('actions/test/engine/package-lock.json'), await read('package-lock.json')];
  const entries = Object.entries(own).filter(([place]) => place !== '');
  expect(entries.length).toBeGreaterThan(10);
  for (const [place, { version: locked, integrity }] of entries) {
    expect([place, locked, integrity]).toEqual([place, all[place]?.version, all[place]?.integrity]);
    expect(integrity).toMatch(/^sha512-/);
  }
  const systems = Object.values(own).flatMap(({ os = [], cpu = [] }) =>
    os.length > 0 ? [`${os[0] ?? ''} ${cpu[0] ?? ''}`] : [],
  );
  expect(new Set(systems)).toEqual(
    new Set(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 arm64', 'win32 x64']),
  );
});

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

test.each([
  ['/r', '/r', ''],
  ['/r', '/r/a b/c', 'a b/c/'],
])('a path of the project %s %s gets the prefix "%s"', (repository, project, prefix) => {
  expect(projectPrefix(repository, project)).toBe(prefix);
});

test('a path of the project has forward slashes on Windows too', () => {
  expect(projectPrefix(String.raw`D:\a\r`, String.raw`D:\a\r\sub\folder`, win32)).toBe('sub/folder/');
  expect(projectPrefix(String.raw`D:\a\r`, String.raw`d:\A\r`, win32)).toBe('');
});
