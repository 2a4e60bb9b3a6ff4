import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startMillrace } from '../../cli/millrace.ts';
import {
  findOldNode,
  importsBeforeCheck,
  importStatements,
  refusalOf,
  runOnOldNode,
} from '../../cli/old-node.ts';
import { lendServerBinary } from '../../environment/redis-binary.ts';
import {
  createWorkerEnvironment,
  deliver,
  webhookSecret,
  workerFile,
  workerToken,
} from '../../environment/worker/worker-environment.ts';

const execute = promisify(execFile);

/** Runs a command; where it fails, what it wrote is the message. */
async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
) {
  return execute(command, args, options).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`, { cause: error });
  });
}

const house = join(import.meta.dirname, '../../..');

/** As a user's machine: our Node first, none of the settings that npm gives to what it runs. */
const env: NodeJS.ProcessEnv = Object.fromEntries([
  ...Object.entries(process.env).filter(
    ([name]) => !/^(npm_|MILLRACE_|VITEST|NODE_OPTIONS$|NODE_ENV$)/i.test(name),
  ),
  ['PATH', `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`],
]);

/** A module that writes the address of each module that Node loads after it to stderr. */
const listLoads = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, nextLoad) {
      process.stderr.write('loaded ' + url + '\\n');
      return nextLoad(url, context);
    },
  });
`)}`;

const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

describe('the packed package, installed in an empty folder', () => {
  let folder: string;
  let packed: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-pack-'));
    await run('npm', ['pack', '--pack-destination', folder], { cwd: house, env });
    const [tarball = ''] = readdirSync(folder);
    packed = join(folder, tarball);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    await run('npm', ['install', ...flags, `./${tarball}`], { cwd: folder, env });
  }, 600_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('contains the compiled code, pages and examples, but no tests, sources or actions', () => {
    const shipped = readdirSync(join(folder, 'node_modules', 'millrace'));
    const pages = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md'];
    expect(shipped.toSorted()).toEqual([...pages, 'actions', 'build', 'docs', 'examples', 'package.json']);
    const actions = readdirSync(join(folder, 'node_modules', 'millrace', 'actions'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(actions.filter((entry) => entry.isFile() && entry.name !== 'README.md')).toEqual([]);
    // What messages point to.
    const docs = readdirSync(join(folder, 'node_modules', 'millrace', 'docs'));
    expect(docs).toEqual(expect.arrayContaining(['errors.md', 'schemas', 'worker.md']));
    expect(docs.filter((name) => name.endsWith('.ts'))).toEqual([]);
    const folders = readdirSync(join(folder, 'node_modules', 'millrace', 'build'));
    expect(folders).toEqual(expect.arrayContaining(['cli', 'client', 'platform', 'worker']));
    expect(folders).not.toContain('test');
    expect(folders).not.toContain('actions');
  });

  test('contains one copy of undici', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
    const copies = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/undici'));
    expect(copies).toHaveLength(1);
  });

  test('npx millrace --help', async () => {
    const { stdout } = await run('npx', ['--no-install', 'millrace', '--help'], { cwd: folder, env });
    for (const command of [
      'review',
      'publish',
      'promote',
      'run',
      'rollback',
      'api',
      'platform',
      'worker',
      'doctor',
    ]) {
      expect(stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
    }
  });

  test('the installed command on an old Node prints the needed version in one line, and ends with 2', async () => {
    const main = join(folder, 'node_modules', 'millrace', 'build', 'cli', 'main.js');
    const old = await findOldNode();
    expect(await runOnOldNode(old, main)).toMatchObject(refusalOf(old));
  });

  test('the files loaded before the check of the Node version use no named import that old Nodes lack', () => {
    const build = join(folder, 'node_modules', 'millrace', 'build');
    const statements = (file: string) => importStatements(readFileSync(join(build, file), 'utf8'));
    expect(statements('cli/main.js')).toEqual(importsBeforeCheck('js'));
    expect(statements('lib/core/values/version.js')).toEqual([]);
  });

  test('a local review loads a few files, and the help of a command neither zod nor yaml', async () => {
    const main = join(folder, 'node_modules', 'millrace', 'build', 'cli', 'main.js');
    const project = mkdtempSync(join(folder, 'project-'));
    await run('git', ['init', '-q', project], { cwd: folder, env });
    writeFileSync(join(project, 'a.orch.yaml'), 'type: "orchestration"\nversion: "1.0"\n');
    await run('git', ['add', 'a.orch.yaml'], { cwd: project, env });
    const loaded = async (...args: string[]) => {
      const { stderr } = await run(process.execPath, ['--import', listLoads, '--', main, ...args], {
        cwd: project,
        env,
      });
      return [...stderr.matchAll(/^loaded file:.*\/build\/(.*)\.js$/gm)].map(([, name = '']) => name);
    };
    const review = await loaded('review', '--local', '--staged', '--fail-on', 'never');
    expect(review.length).toBeLessThan(20);
    expect(review.filter((name) => /part-session-/.test(name))).toHaveLength(1);
    const help = [...(await loaded('review', '--help')), ...(await loaded('publish', '--help'))];
    expect(help.filter((name) => /part-session-/.test(name))).toEqual([]);
  });

  test('npx millrace platform starts, and millrace/client talks to it', async () => {
    // Not --env-file: Node reads this option itself at any place of the command line, and npx is a Node program.
    const options = ['--port', '0', '--write-env', 'platform.env'];
    const platform = spawn('npx', ['--no-install', 'millrace', 'platform', ...options], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const ended = once(platform, 'exit');
    onTestFinished(async () => {
      // npx and what it started are one group.
      if (platform.exitCode === null) process.kill(-(platform.pid ?? 0), 'SIGTERM');
      await ended;
    });
    for await (const line of createInterface({ input: platform.stdout }))
      if (line.startsWith('Press Ctrl-C')) break;
    const variables = parseEnv(readFileSync(join(folder, 'platform.env'), 'utf8'));
    writeFileSync(
      join(folder, 'ask.js'),
      `import { createClient } from 'millrace/client';
       const { MILLRACE_BASE_URL: baseUrl, MILLRACE_TOKEN: token } = process.env;
       const client = createClient({ baseUrl, auth: { token } });
       for await (const project of client.projects.list()) console.log(project.id);
       await client.close();`,
    );
    const { stdout } = await run(process.execPath, ['ask.js'], {
      cwd: folder,
      env: { ...env, ...variables },
    });
    expect(stdout.trim().split('\n')).toContain(variables['MILLRACE_PROJECT_ID']);
  });

  test('the installed worker brings a pushed tag into the target and reports it', async () => {
    await using world = await createWorkerEnvironment({
      lanes: `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: []
    on-failure: hold
`,
    });
    writeFileSync(join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n`);
    await lendServerBinary(folder);
    const worker = startMillrace(['worker', '--port', '0', '--json'], {
      cwd: folder,
      entry: join(folder, 'node_modules', 'millrace', 'build', 'cli', 'main.js'),
      env: {
        TOKEN: world.platform.tokens.admin,
        MILLRACE_GITHUB_TOKEN: 'worker',
        MILLRACE_WEBHOOK_SECRET: webhookSecret,
        MILLRACE_WORKER_TOKEN: workerToken,
        MILLRACE_BASE_URL: world.platform.baseUrl,
        GITHUB_API_URL: world.github.apiUrl,
      },
    });
    try {
      const [, url = ''] = await worker.until('stdout', /"url": "(http:[^"]+)"/);
      const commit = await world.repository.tag('v1', 'main');
      await world.publish('v1', commit);
      expect(await deliver(url, await world.push('refs/tags/v1'))).toMatchObject({ status: 202 });
      await expect
        .poll(() => world.status(commit, 'millrace/to-test'), { timeout: 30_000 })
        .toMatch(/^success/);
      expect(await world.versions('test')).toEqual(['v1']);
    } finally {
      // Not killed: that would leave its Redis alone.
      worker.send('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
    }
  });

  test('millrace/platform can be started by a program', async () => {
    writeFileSync(
      join(folder, 'start.js'),
      `import { createClient } from 'millrace/client';
       import { startPlatform } from 'millrace/platform';
       await using platform = await startPlatform({
         faults: [{ operation: 'environments.list', nth: 1, wire: 'reset-after' }],
       });
       const { baseUrl, projectId, tokens } = platform;
       await using client = createClient({ baseUrl, auth: { token: tokens.member } });
       const { total } = await client.environments.list({ projectId });
       console.log(total, platform.requests().counts['environments.list']);`,
    );
    const { stdout, stderr } = await run(process.execPath, ['start.js'], { cwd: folder, env });
    expect({ stdout, stderr }).toEqual({ stdout: '3 2\n', stderr: '' });
  });

  test('the package has types of client and platform, and none of them is any', async () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { createClient, type Client } from 'millrace/client';
       import { type Platform, type PlatformOptions, startPlatform } from 'millrace/platform';
       const options: PlatformOptions = { faults: [{ operation: 'projects.list', status: 503, times: 2 }] };
       // @ts-expect-error: a port is a number
       await startPlatform({ port: '1' });
       // @ts-expect-error: no such fault
       await startPlatform({ faults: [{ wire: 'nonsense' }] });
       await using platform: Platform = await startPlatform(options);
       export const started: readonly string[] = platform.ledger({ effect: 'started' }).map((entry) => entry.requestId);
       // @ts-expect-error: no such member
       platform.nonsense;
       const client: Client = createClient({ baseUrl: 'http://127.0.0.1:1', auth: { token: 't' } });
       // @ts-expect-error: a token is text
       createClient({ baseUrl: 'http://127.0.0.1:1', auth: { token: 1 } });
       export async function ids(): Promise<string[]> {
         const found: string[] = [];
         for await (const project of client.projects.list()) {
           found.push(project.id);
           // @ts-expect-error: no such field
           found.push(project.nonsense);
         }
         return found;
       }`,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2024',
          lib: ['es2024', 'esnext.disposable'],
          types: ['node'],
          typeRoots: [join(house, 'node_modules', '@types')],
        },
        files: ['typed.ts'],
      }),
    );
    const tsc = join(house, 'node_modules', 'typescript', 'bin', 'tsc');
    await expect(run(process.execPath, [tsc, '-p', '.'], { cwd: folder, env })).resolves.toMatchObject({
      stdout: '',
    });
  });

  /** Installs the package in a new repository, and gives a second clone of it to `use`. */
  async function inSecondClone(install: string, use: (clone: string) => Promise<void>): Promise<void> {
    const place = mkdtempSync(join(folder, 'shared-'));
    const first = join(place, 'first');
    const git = (cwd: string, ...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, env });
    await git(place, 'init', '-q', first);
    writeFileSync(join(first, 'package.json'), '{ "private": true }\n');
    writeFileSync(join(first, '.gitignore'), 'node_modules/\n');
    writeFileSync(join(first, 'a.orch.yaml'), 'type: "orchestration"\nversion: "1.0"\n');
    mkdirSync(join(first, 'vendor'));
    cpSync(packed, join(first, 'vendor', basename(packed)));
    await run('npm', ['install', '--save-dev', ...flags, install], { cwd: first, env });
    await git(first, 'add', '.');
    await git(first, 'commit', '-q', '-m', 'Install');
    // As on another machine: what lies beside the first clone is not there.
    const second = join(mkdtempSync(join(folder, 'elsewhere-')), 'a', 'clone');
    await git(folder, 'clone', '-q', first, second);
    await use(second);
  }

  /** `npm ci`, then a review; with what it printed. */
  async function installAndReview(cwd: string): Promise<string> {
    await run('npm', ['ci', ...flags], { cwd, env });
    const review = ['--no-install', 'millrace', 'review', '--local', '--fail-on', 'never'];
    return (await run('npx', review, { cwd, env })).stdout;
  }

  /** Removes the package from npm's cache, which another machine does not have. */
  async function forgetPackage(cwd: string): Promise<void> {
    const cache = (await run('npm', ['config', 'get', 'cache'], { cwd, env })).stdout.trim();
    const digest = createHash('sha512').update(readFileSync(packed)).digest('hex');
    const parts = [digest.slice(0, 2), digest.slice(2, 4), digest.slice(4)];
    rmSync(join(cache, '_cacache', 'content-v2', 'sha512', ...parts));
  }

  test('a file in the repository is installed by npm ci in a second clone, which reviews', async () => {
    await inSecondClone(`./vendor/${basename(packed)}`, async (clone) => {
      expect(await installAndReview(clone)).toContain('1 file reviewed');
    });
  }, 240_000);

  test('the address of a release is installed by npm ci in a second clone, and only with its checksum', async () => {
    let content = readFileSync(packed);
    const server = createServer((_, response) => response.end(content)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/acme/millrace/releases/download/v0.2.0/${basename(packed)}`;
    await inSecondClone(url, async (clone) => {
      expect(await installAndReview(clone)).toContain('1 file reviewed');
      content = Buffer.from('something else');
      const fresh = { ...env, npm_config_cache: join(folder, 'empty-cache') };
      await expect(run('npm', ['ci', ...flags], { cwd: clone, env: fresh })).rejects.toThrow(/EINTEGRITY/);
    });
  }, 240_000);

  test('a path outside of the repository fails npm ci in a second clone, as docs/install.md says', async () => {
    await inSecondClone(`../../${basename(packed)}`, async (clone) => {
      await forgetPackage(clone);
      await expect(run('npm', ['ci', ...flags], { cwd: clone, env })).rejects.toThrow(/ENOENT/);
    });
  }, 240_000);
});
