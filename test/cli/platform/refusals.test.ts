import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../in-process.ts';
import { entry } from '../millrace.ts';
import { createCliEnvironment, type CliEnvironment } from '../cli-environment.ts';

let testEnvironment: CliEnvironment;
let events: number;
beforeAll(async () => {
  testEnvironment = await createCliEnvironment();
  testEnvironment.work.git('tag', 'nightly');
  events = await eventsSoFar();
});
afterAll(() => testEnvironment[Symbol.asyncDispose]());

const eventsSoFar = async () => (await testEnvironment.client.audit.list({ size: 1 })).total;

/** Nothing on the platform has changed, and no file is left behind. */
async function expectNothingDone(): Promise<void> {
  expect(await testEnvironment.versions('dev')).toEqual({});
  expect(await eventsSoFar()).toBe(events);
  expect(testEnvironment.work.git('status', '--porcelain')).toBe('');
}

const publish = (...more: string[]) => ['publish', '--version', '9.9.9', '--environment', 'dev', ...more];

/** Serves one answer to everything. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Refusal {
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly error: string;
  readonly message: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    title: 'no token',
    args: publish(),
    env: { MILLRACE_TOKEN: '' },
    code: 2,
    error: 'no-token',
    message: /MILLRACE_TOKEN.*MILLRACE_CLIENT_ID/,
  },
  {
    title: 'a wrong token',
    args: publish('--verbose'),
    env: { MILLRACE_TOKEN: 'wrong-token-4711' },
    code: 2,
    error: 'unauthorized',
    message: /401.*wrong, expired or revoked/,
  },
  {
    title: 'no address',
    args: publish(),
    env: { MILLRACE_BASE_URL: '' },
    code: 2,
    error: 'no-base-url',
    message: /MILLRACE_BASE_URL/,
  },
  {
    title: 'an address that is none',
    args: publish('--base-url', 'platform.example.com'),
    code: 2,
    error: 'usage',
    message: /--base-url is not an http or https address/,
  },
  {
    title: 'an unknown project',
    args: publish('--project', '11111111-1111-4111-8111-111111111111'),
    code: 2,
    error: 'not-found',
    message: /404/,
  },
  {
    title: 'no project',
    args: publish(),
    env: { MILLRACE_PROJECT_ID: '' },
    code: 2,
    error: 'no-project',
    message: /No project id is set/,
  },
  {
    title: 'no runner version',
    args: ['review'],
    env: { MILLRACE_AGENT_VERSION: '' },
    code: 2,
    error: 'no-agent-version',
    message: /--agent-version: The version of the project’s runner is not set/,
  },
  {
    title: 'a review of a project that is not linked to a platform',
    args: ['review'],
    env: { MILLRACE_AGENT_VERSION: '', MILLRACE_BASE_URL: '', MILLRACE_TOKEN: '', MILLRACE_PROJECT_ID: '' },
    code: 2,
    error: 'no-project',
    message:
      /not linked to a platform.*: MILLRACE_BASE_URL, MILLRACE_TOKEN, project in millrace\.yaml and review\.agent-version in millrace\.yaml are not set\.\n {2}how to fix: Add --local: `millrace review --local`/,
  },
  {
    title: 'a missing argument of a subcommand',
    args: ['platform', 'exec'],
    code: 2,
    error: 'usage',
    message: /Missing required argument 'command': .+\n {2}how to fix: See `millrace platform exec --help`/,
  },
  {
    title: 'a missing option',
    args: ['hold', 'to-test'],
    code: 2,
    error: 'usage',
    message:
      /--reason: Required option '--reason <text>' not specified: .+\n {2}how to fix: See `millrace hold --help`/,
  },
  {
    title: 'a version name with a line feed',
    args: ['publish', '--version', '1.0\nx-evil: 1', '--environment', 'dev'],
    code: 2,
    error: 'version-invalid',
    message: /"1\.0\\nx-evil: 1" contains a line break/,
  },
  {
    title: 'the version name latest',
    args: ['publish', '--version', 'latest', '--environment', 'dev'],
    code: 2,
    error: 'version-invalid',
    message: /"latest" is reserved.*§4\.8 rule 1/,
  },
  {
    title: 'an environment that the platform does not know',
    args: ['publish', '--version', '9.9.9', '--environment', 'nowhere'],
    code: 2,
    error: 'not-found',
    message: /nowhere/,
  },
  {
    title: 'a promotion into an unknown environment',
    args: ['promote', '--version', '9.9.9', '--from', 'dev', '--to', 'nowhere'],
    code: 2,
    error: 'not-found',
    message: /no environment "nowhere".*dev/,
  },
  {
    title: 'a run of an unknown pipeline',
    args: ['run', 'no/such', '--environment', 'dev'],
    code: 2,
    error: 'not-found',
    message: /no\/such/,
  },
  {
    title: 'no pipeline to run',
    args: ['run', '--environment', 'dev'],
    code: 2,
    error: 'usage',
    message: /millrace run daily\/load --environment test/,
  },
  {
    title: 'a folder in place of a pipeline',
    args: ['run', 'daily/', '--environment', 'test'],
    code: 2,
    error: 'usage',
    message: /"daily\/" is a folder, but an execution runs one pipeline/,
  },
  {
    title: 'a glob in place of a pipeline',
    args: ['run', 'daily/*', '--environment', 'test'],
    code: 2,
    error: 'usage',
    message: /"daily\/\*" is a glob, but an execution runs one pipeline/,
  },
  {
    title: 'a commit that is not there',
    args: publish('--commit', 'no-such-branch'),
    code: 2,
    error: 'git-failed',
    message: /no-such-branch/,
  },
  {
    title: 'a working directory that is not there',
    args: publish('--working-directory', 'no-such-folder'),
    code: 2,
    error: 'usage',
    message: /no-such-folder/,
  },
  {
    title: 'a worker command in a working directory that is not there',
    args: ['lanes', '--working-directory', 'no-such-folder'],
    code: 2,
    error: 'usage',
    message: /The folder no-such-folder does not exist/,
  },
  {
    title: 'a tag that is not there',
    args: publish('--tag', 'v9.9.9'),
    code: 2,
    error: 'git-failed',
    message: /no such commit, branch or tag[^]*`git tag`/,
  },
  {
    title: 'the configuration of the worker in place of the project’s',
    args: publish('--config', 'worker.yaml'),
    code: 2,
    error: 'config-missing',
    message: /--worker-config/,
  },
  {
    title: 'a configuration that is not there',
    args: publish('--config', 'other.yaml'),
    code: 2,
    error: 'config-missing',
    message: /The file other.yaml, which --config names, does not exist/,
  },
  {
    title: 'a configuration that is a folder',
    args: publish('--config', '.'),
    code: 2,
    error: 'config-invalid',
    message: /"\." cannot be read \(EISDIR\)/,
  },
  {
    title: 'a tag that is not a release tag',
    args: ['publish', '--tag', 'nightly', '--environment', 'dev'],
    code: 2,
    error: 'usage',
    message: /release\.tag in millrace\.yaml is "v\*"/,
  },
  {
    title: 'a misspelt command',
    args: ['publsh'],
    code: 2,
    error: 'usage',
    message: /Unknown command 'publsh'. Did you mean "publish"\?/,
  },
  {
    title: 'a misspelt option',
    args: ['promote', '--versoin', '1', '--from', 'dev', '--to', 'test'],
    code: 2,
    error: 'usage',
    message: /Unknown option '--versoin'. Did you mean "--version"\?/,
  },
  {
    title: 'a time that is none',
    args: ['run', 'daily/load', '--environment', 'dev', '--timeout', 'soon'],
    code: 2,
    error: 'usage',
    message: /--timeout.*90s, 30m or 2h/,
  },
  {
    title: 'a token where the commit belongs',
    args: publish('--commit', 'wrong-token-4711'),
    env: { MILLRACE_TOKEN: 'wrong-token-4711' },
    code: 2,
    error: 'git-failed',
    message: /\[secret\]/,
  },
  {
    title: 'a token where the command belongs',
    args: ['wrong-token-4711'],
    env: { MILLRACE_TOKEN: 'wrong-token-4711' },
    code: 2,
    error: 'usage',
    message: /Unknown command '\[secret\]'/,
  },
  {
    title: 'half a client credential',
    args: publish(),
    env: { MILLRACE_TOKEN: '', MILLRACE_CLIENT_ID: 'ci' },
    code: 2,
    error: 'no-token',
    message: /Not set: MILLRACE_CLIENT_SECRET, MILLRACE_TOKEN_URL/,
  },
];

describe('a refused command changes nothing and reports what, where and a hint', () => {
  test.concurrent.each(refusals)('$title', async ({ args, env, code, error, message }) => {
    const [words, asJson] = await Promise.all([
      testEnvironment.run(args, env),
      inProcess([...args, '--json'], {
        cwd: testEnvironment.work.directory,
        env: { ...testEnvironment.env, ...env },
      }),
    ]);
    expect(words).toMatchObject({ code, stdout: '' });
    expect(words.stderr).toMatch(message);
    expect(words.stderr).toMatch(new RegExp(`\\n {2}how to fix: .+\\n {2}code: ${error}\\n$`));
    expect(words.stderr).not.toMatch(/\n {4}at /);
    for (const secret of ['wrong-token-4711', testEnvironment.platform.tokens.superAdmin])
      expect(words.stdout + words.stderr + asJson.stdout + asJson.stderr).not.toContain(secret);

    expect(asJson.code).toBe(code);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      outcome: 'error',
      error: { code: error, message: expect.stringMatching(/\S/), hint: expect.stringMatching(/\S/) },
    });
    await expectNothingDone();
  });
});

describe('an address that is not the platform’s', () => {
  test('a port without a server ends with 3', async () => {
    const ended = await testEnvironment.run(publish('--no-connectors', '--base-url', 'http://127.0.0.1:1'));
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('the platform at 127.0.0.1:1 could not be reached');
    expect(ended.stderr).toContain('code: unreachable');
  });

  test('a login page ends with 3 and is reported as a web page', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Sign in</title>');
    });
    const ended = await testEnvironment.run(publish('--base-url', url));
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('a web page instead of JSON');
    expect(ended.stderr).toContain('code: answer-unreadable');
  });

  test('a token that an answer repeats is masked', async () => {
    const token = 'a-token-that-must-not-be-seen-0815';
    const url = await serve((request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: `denied: ${String(request.headers.authorization)}`, status: 401 }),
      );
    });
    const args = ['api', 'projects.list', '--base-url', url, '--verbose'];
    for (const more of [[], ['--json']]) {
      const ended = await testEnvironment.run([...args, ...more], { MILLRACE_TOKEN: token });
      expect(ended.code).toBe(2);
      expect(ended.stdout + ended.stderr).toContain('denied');
      expect(ended.stdout + ended.stderr).not.toContain(token);
    }
  });
});

describe('an invalid project', () => {
  /** A change of the project that is taken back after the test. */
  function commit(files: Readonly<Record<string, string>>, message: string): void {
    const before = testEnvironment.work.git('rev-parse', 'HEAD');
    for (const [file, content] of Object.entries(files)) testEnvironment.work.write(file, content);
    testEnvironment.work.commit(message);
    testEnvironment.push();
    onTestFinished(() => {
      testEnvironment.work.git('reset', '-q', '--hard', before);
      testEnvironment.push();
    });
  }

  test('a pipeline with invalid YAML is a finding on its line, and the review ends with 1', async () => {
    commit({ 'daily/broken.orch.yaml': 'type: "orchestration"\npipeline:\n  components: [\n' }, 'Break it');
    const [platform, local] = await Promise.all([
      testEnvironment.run(['review']),
      testEnvironment.run(['review', '--local']),
    ]);
    for (const ended of [platform, local]) {
      expect(ended.code).toBe(1);
      expect(ended.stdout).toMatch(
        /^daily\/broken\.orch\.yaml\n {2}[34]:\d+ +error .*designer\/document-parse-error/,
      );
    }
  });

  test('a missing rules file is reported, and the review ends with 1', async () => {
    testEnvironment.work.git('rm', '-q', '.platform/config/pipeline_quality_rules.yaml');
    commit({}, 'No rules');
    const [platform, local] = await Promise.all([
      testEnvironment.run(['review']),
      testEnvironment.run(['review', '--local']),
    ]);
    for (const ended of [platform, local]) {
      expect(ended.code).toBe(1);
      expect(ended.stdout).toContain('.platform/config/pipeline_quality_rules.yaml');
      expect(ended.stdout).toContain('designer/rules-file-retrieval-error');
    }
  });

  test('an invalid millrace.yaml ends with 2 and shows file, line and column', async () => {
    testEnvironment.work.write('wrong.yaml', 'version: 1\nenvironments: [dev]\nreveiw: { scope: all }\n');
    testEnvironment.work.write('broken.yaml', 'version: 1\nenvironments: [dev\n');
    onTestFinished(() => void testEnvironment.work.git('clean', '-fdq'));
    const [wrong, broken] = await Promise.all([
      testEnvironment.run(publish('--config', 'wrong.yaml')),
      testEnvironment.run(publish('--config', 'broken.yaml')),
    ]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/^error: wrong\.yaml:3:1: .*reveiw/);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(/^error: broken\.yaml:\d:\d+: .+\n {2}how to fix: /);
  });

  test('an artifact without a file, or without a pipeline, is refused and not published', async () => {
    testEnvironment.work.write('none.yaml', 'version: 1\nfiles: { include: ["**/*.no"] }\n');
    testEnvironment.work.write('sql.yaml', 'version: 1\nfiles: { include: ["**/*.sql"] }\n');
    commit({ 'clean.sql': 'select 1;\n' }, 'Only SQL');
    for (const config of ['none.yaml', 'sql.yaml']) {
      const ended = await testEnvironment.run(publish('--config', config));
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('code: nothing-to-publish');
    }
    expect(await testEnvironment.versions('dev')).toEqual({});
  });

  test('a symbolic link is refused with its name', async () => {
    symlinkSync('load.orch.yaml', path.join(testEnvironment.work.directory, 'daily/link.orch.yaml'));
    commit({}, 'A link');
    const ended = await testEnvironment.run(publish());
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('daily/link.orch.yaml');
    expect(ended.stderr).toContain('code: file-refused');
    expect(await testEnvironment.versions('dev')).toEqual({});
  });
});

test('a result that cannot be written to a full disk ends with 3 without a stack', async () => {
  const child = spawnSync('sh', ['-c', '"$0" -- "$1" api --list >/dev/full', process.execPath, entry], {
    encoding: 'utf8',
    cwd: testEnvironment.work.directory,
  });
  expect(child.status).toBe(3);
  expect(child.stderr).toMatch(/^error: Cannot write the result: ENOSPC.*\n.*code: storage-failed\n$/s);
  expect(child.stderr).not.toMatch(/\n {4}at /);
});

test('a closed pipe is not an error', () => {
  // `:` has gone before anything is written.
  const script = '{ "$0" -- "$1" api --list; echo "ended in $?" >&2; } | :';
  const child = spawnSync('sh', ['-c', script, process.execPath, entry], {
    encoding: 'utf8',
    cwd: testEnvironment.work.directory,
  });
  expect(child).toMatchObject({ stdout: '', stderr: 'ended in 0\n' });
});
