import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { smallPipeline } from '../../flows/flow-environment.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { millrace, startMillrace, type Running } from '../millrace.ts';

interface PrintedSettings {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly tokens: Readonly<Record<'superAdmin' | 'admin' | 'member', string>>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace platform '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const platform = (...args: string[]) => startMillrace(['platform', ...args], { cwd: folder });

/** What it says with --json once it listens. */
async function printedSettings(running: Running): Promise<PrintedSettings> {
  const [json = ''] = await running.until('stdout', /^\{\n[^]*\n\}\n/);
  return JSON.parse(json) as PrintedSettings;
}

async function expectStop(running: Running, signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
  running.send(signal);
  expect((await running.ended).code).toBe(0);
}

function clientOf({ baseUrl, tokens }: PrintedSettings) {
  const client = createClient({ baseUrl, auth: { token: tokens.superAdmin } });
  onTestFinished(() => client.close());
  return client;
}

describe('millrace platform', () => {
  test('prints its address, the project and a token for each role; Ctrl-C ends it with 0', async () => {
    await using running = platform();
    const [, url = ''] = await running.until(
      'stdout',
      /listens on (http:\/\/127\.0\.0\.1:\d+)\n[^]*Press Ctrl-C to stop\.\n/,
    );
    const shown = (await running.until('stdout', /[^]*/))[0] ?? '';
    for (const line of ['project id', 'token, Super Admin', 'token, Admin', 'token, member'])
      expect(shown).toMatch(new RegExp(`^ {2}${line} +\\S{20,}$`, 'm'));
    expect(shown).toContain('  pipelines           run on embedded DuckDB\n');
    expect(shown).toContain(`  export MILLRACE_BASE_URL=${url}\n`);
    expect((await fetch(`${url}/v1/projects`)).status).toBe(401);
    await expectStop(running, 'SIGINT');
  });

  test('with --write-env, prints how a shell reads the file, and warns if git does not ignore it', async () => {
    spawnSync('git', ['init', '-q'], { cwd: folder });
    await using running = platform('--write-env', 'my env');
    await running.until(
      'stderr',
      /^warning: my env has the token of an administrator[^]* Add it to \.gitignore, so that nobody commits it\.\n$/,
    );
    const [shown] = await running.until('stdout', /[^]*Press Ctrl-C to stop\.\n/);
    expect(shown).toContain(
      `Wrote these settings to my env. In another shell:\n  set -a; . '${path.join(folder, 'my env')}'; set +a\n`,
    );
    expect(shown).not.toContain('export ');
    await expectStop(running);
    rmSync(path.join(folder, 'my env'));
  });

  test('writes the variables to a file that only the owner can read, replacing one that everybody can read', async () => {
    const file = path.join(folder, 'my env');
    writeFileSync(file, 'OLD=1\n', { mode: 0o644 });
    await using running = platform('--env-file', 'my env', '--json');
    const { baseUrl, projectId, tokens } = await printedSettings(running);
    expect(readFileSync(file, 'utf8')).toBe(
      `MILLRACE_BASE_URL=${baseUrl}\nMILLRACE_TOKEN=${tokens.superAdmin}\nMILLRACE_PROJECT_ID=${projectId}\nMILLRACE_AGENT_VERSION=9.0.0\n`,
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['my env']);
    await expectStop(running);
  });

  test('keeps its state and tokens in --data after a restart, even if MILLRACE_TOKEN is set', async () => {
    await using first = platform('--data', 'state', '--json');
    const before = await printedSettings(first);
    await clientOf(before).variables.create({
      projectId: before.projectId,
      name: 'day',
      type: 'TEXT',
      behaviour: 'SHARED',
      value: 'today',
    });
    await expectStop(first);

    await using second = startMillrace(['platform', '--data', 'state', '--json'], {
      cwd: folder,
      env: { MILLRACE_TOKEN: before.tokens.superAdmin },
    });
    const after = await printedSettings(second);
    expect({ ...after, baseUrl: '' }).toMatchObject({ projectId: before.projectId, tokens: before.tokens });
    const { results } = await clientOf(after).variables.list({ projectId: after.projectId });
    expect(results).toMatchObject([{ name: 'day', value: 'today' }]);

    const third = await millrace(['platform', '--data', 'state'], { cwd: folder });
    expect(third.code).not.toBe(0);
    expect(third.stderr).toMatch(/^error: .+\n {2}how to fix: .+\n {2}code: [a-z-]+\n$/);
    await expectStop(second);
  });

  test('reviews the repositories in --git-root, and creates the data of a seed', async () => {
    using work = temporaryRepository();
    work.write('daily/load.orch.yaml', smallPipeline);
    work.write('.platform/config/pipeline_quality_rules.yaml', 'rules: []\n');
    work.commit('A project');
    mkdirSync(path.join(folder, 'repositories/demo'), { recursive: true });
    work.git('clone', '-q', '--bare', '.', path.join(folder, 'repositories/demo/sales'));
    writeFileSync(
      path.join(folder, 'seed.yaml'),
      `projects:
  - name: sales
    environments: [dev]
    connections: [{ name: warehouse, authType: key_pair }]
    repository: { ownerName: demo, repositoryName: sales }
credentials:
  - { name: boss, role: superAdmin, token: token-of-the-boss }
`,
    );
    await using running = platform('--git-root', 'repositories', '--seed', 'seed.yaml', '--json');
    const { baseUrl, projectId, tokens } = await printedSettings(running);
    expect(tokens).toEqual({ superAdmin: 'token-of-the-boss', admin: '', member: '' });
    const reviewed = await millrace(['review', '--scope', 'all', '--project', projectId], {
      cwd: work.directory,
      env: {
        MILLRACE_BASE_URL: baseUrl,
        MILLRACE_TOKEN: tokens.superAdmin,
        MILLRACE_AGENT_VERSION: '9.0.0',
      },
    });
    expect(reviewed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file reviewed') });
    await expectStop(running);
  });

  test('ends at once although clients hold connections open', async () => {
    await using running = platform('--json');
    const { baseUrl, tokens } = await printedSettings(running);
    const client = clientOf({ baseUrl, tokens, projectId: '' });
    await client.projects.list({});
    await expectStop(running);
  });

  test('continues when its output is no longer read', async () => {
    await using running = platform();
    const [, url = ''] = await running.until('stdout', /listens on (http:\S+)/);
    running.closeStdout();
    expect((await fetch(`${url}/v1/projects`)).status).toBe(401);
    await expectStop(running);
  });
});

describe('millrace platform refuses', () => {
  const refused = (...args: string[]) =>
    millrace(['platform', '--env-file', 'env', ...args], { cwd: folder });
  const expectNoFile = () => expect(readdirSync(folder).filter((name) => name.startsWith('env'))).toEqual([]);

  test('a port in use', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ended = await refused('--port', String(port));
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`cannot listen on 127.0.0.1:${port}`);
    expectNoFile();
  });

  test('a seed with an error at its line, and an invalid seed, folder, port or host', async () => {
    writeFileSync(path.join(folder, 'seed.yaml'), 'projects:\n  - name: sales\n    enviroments: [dev]\n');
    const [seed, missing, pattern, folderless, port, host] = await Promise.all([
      refused('--seed', 'seed.yaml'),
      refused('--seed', 'no.yaml'),
      refused('--seed', 'seeds/*.yaml'),
      refused('--git-root', 'nowhere'),
      refused('--port', '70000'),
      // An address that is never this machine's.
      refused('--host', '192.0.2.1'),
    ]);
    expect(seed).toMatchObject({ code: 2, stdout: '' });
    expect(seed.stderr).toMatch(/^error: seed\.yaml:3:5: The seed is invalid: .*enviroments/);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('--seed: The file no.yaml does not exist');
    expect(missing.stderr).toContain('the path of an existing file');
    expect(pattern.stderr).toContain('no file matches the pattern');
    expect(folderless).toMatchObject({ code: 2, stdout: '' });
    expect(folderless.stderr).toContain('--git-root: ');
    expect(port).toMatchObject({ code: 2, stdout: '' });
    expect(port.stderr).toContain('from 0 to 65535');
    expect(host).toMatchObject({ code: 2, stdout: '' });
    expect(host.stderr).toMatch(/^error: --host: .*192\.0\.2\.1/);
    expectNoFile();
  });

  test('an invalid folder for the state', async () => {
    writeFileSync(path.join(folder, 'a file'), '');
    const ended = await refused('--data', 'a file');
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('code: storage-failed');
    expectNoFile();
  });
});

/** A disk of 64 KB; only a superuser can make one. */
function mountTinyDisk(at: string): boolean {
  mkdirSync(at, { recursive: true });
  return spawnSync('sh', ['-c', 'mount -t tmpfs -o size=64k tmpfs "$0"', at]).status === 0;
}

test('a full disk ends the command with 3, with the name of the file and without an incomplete file', async ({
  skip,
}) => {
  const disk = path.join(folder, 'disk');
  if (!mountTinyDisk(disk)) skip('a file system can only be mounted by a superuser');
  try {
    const data = await millrace(['platform', '--data', 'disk/state'], { cwd: folder });
    expect(data).toMatchObject({ code: 3, stdout: '' });
    expect(data.stderr).toContain('code: storage-failed');
    rmSync(path.join(disk, 'state'), { recursive: true, force: true });

    try {
      writeFileSync(path.join(disk, 'filler'), Buffer.alloc(128 * 1024));
    } catch {
      // Now it is full.
    }
    const env = await millrace(['platform', '--env-file', 'disk/env'], { cwd: folder });
    expect(env).toMatchObject({ code: 3, stdout: '' });
    expect(env.stderr).toContain('ENOSPC');
    expect(env.stderr).toContain('code: storage-failed');
    expect(readdirSync(disk)).toEqual(['filler']);
  } finally {
    spawnSync('sh', ['-c', 'umount -l "$0"', disk]);
  }
});
