import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { millrace, startMillrace } from '../millrace.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace exec '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const exec = (args: readonly string[], env: Record<string, string> = {}) =>
  millrace(['platform', 'exec', ...args], { cwd: folder, env });

/** A command of one line of JavaScript. */
const script = (source: string, ...args: string[]) => [process.execPath, '-e', source, ...args];

const listProjects = `
  const { MILLRACE_BASE_URL: url, MILLRACE_TOKEN: token, MILLRACE_PROJECT_ID: id } = process.env;
  const answer = await fetch(url + '/v1/projects', { headers: { authorization: 'Bearer ' + token } });
  const { results } = await answer.json();
  console.log(results[0].id === id, process.env.MILLRACE_AGENT_VERSION);
`;

test('the command gets the platform in its variables, and only its output is written', async () => {
  const ended = await exec(['--', process.execPath, '--input-type=module', '-e', listProjects]);
  expect(ended).toEqual({ code: 0, stdout: 'true 9.0.0\n', stderr: '' });
});

test('the exit code of the command is passed on', async () => {
  expect((await exec(['--', ...script('process.exit(7)')])).code).toBe(7);
});

test('options after the command belong to the command, with and without the two dashes', async () => {
  const print = 'console.log(JSON.stringify(process.argv.slice(1)))';
  const args = ['--', '--seed', 'x', '--json', 'a b', '--port=5', ''];
  const [dashed, plain] = await Promise.all([
    exec(['--', ...script(print, ...args)]),
    exec(script(print, ...args)),
  ]);
  const output = `${JSON.stringify(args.slice(1))}\n`;
  expect(dashed).toMatchObject({ code: 0, stdout: output });
  expect(plain).toMatchObject({ code: 0, stdout: output });
});

test('the command gets all variables except a real platform’s', async () => {
  const print = `console.log(JSON.stringify(Object.keys(process.env).filter((name) => /^(MILLRACE|OTHER)_/.test(name)).sort()),
    process.env.MILLRACE_TOKEN, process.env.NO_PROXY, process.env.no_proxy)`;
  const ended = await exec(['--', ...script(print)], {
    MILLRACE_CLIENT_ID: 'real',
    MILLRACE_CLIENT_SECRET: 'very-secret',
    MILLRACE_TOKEN_URL: 'https://platform.example.com/oauth/token',
    MILLRACE_WORKER_URL: 'http://127.0.0.1:8080',
    OTHER_THING: 'x',
    HTTP_PROXY: 'http://proxy.example.com:3128',
    NO_PROXY: '.example.org',
  });
  expect(ended.stdout).toMatch(
    /^\["MILLRACE_AGENT_VERSION","MILLRACE_BASE_URL","MILLRACE_PROJECT_ID","MILLRACE_TOKEN","MILLRACE_WORKER_URL","OTHER_THING"\] local_\w+ (\.example\.org,localhost,127\.0\.0\.1,::1) \1\n$/,
  );
});

test('a seed defines the initial data and faults', async () => {
  writeFileSync(
    path.join(folder, 'seed.yaml'),
    'credentials: [{ name: me, role: superAdmin }]\nfaults: [{ operation: projects.list, status: 418 }]\n',
  );
  const ask = `fetch(process.env.MILLRACE_BASE_URL + '/v1/projects').then(({ status }) => console.log(status))`;
  expect(await exec(['--seed', 'seed.yaml', '--', ...script(ask)])).toMatchObject({
    code: 0,
    stdout: '418\n',
  });
  writeFileSync(path.join(folder, 'seed.yaml'), 'faults: [{ wire: bang }]\n');
  const wrong = await exec(['--seed', 'seed.yaml', '--', ...script('console.log("never")')]);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^error: seed\.yaml:1:18: The seed is invalid: /);
});

test('an unknown command is a failure with its name, and a missing command a usage error', async () => {
  const [missing, none] = await Promise.all([exec(['--', 'no-such-command-here']), exec([])]);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('Cannot start the command "no-such-command-here" (ENOENT)');
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('code: usage');
});

const waiting = (end: string) =>
  script(`
    setInterval(() => {}, 1000);
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => { console.log('got ' + name); ${end} });
    console.log('ready');
  `);

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s is forwarded, and the command decides how it ends',
  async (signal) => {
    await using running = startMillrace(['platform', 'exec', '--', ...waiting('process.exit(3)')], {
      cwd: folder,
      ownSession: true,
    });
    await running.until('stdout', /ready/);
    running.send(signal);
    const ended = await running.ended;
    expect(ended.code).toBe(3);
    expect(ended.stdout).toBe(`ready\ngot ${signal}\n`);
  },
);

test('SIGHUP ends the command too', async () => {
  const ignoring = script(`
    process.on('SIGHUP', () => { console.log('got SIGHUP'); process.exit(4); });
    setInterval(() => {}, 1000);
    console.log('ready');
  `);
  await using running = startMillrace(['platform', 'exec', '--', ...ignoring], { cwd: folder });
  await running.until('stdout', /ready/);
  running.send('SIGHUP');
  expect(await running.ended).toMatchObject({ code: 4, stdout: 'ready\ngot SIGHUP\n' });
});

test('a command that a signal ends has the exit code 128 plus the signal number', async () => {
  expect((await exec(['--', ...script(`process.kill(process.pid, 'SIGKILL')`)])).code).toBe(137);
});

test('the platform stops with the command', async () => {
  const { stdout } = await exec(['--', ...script('console.log(process.env.MILLRACE_BASE_URL)')]);
  await expect(fetch(`${stdout.trim()}/v1/projects`)).rejects.toThrow('fetch failed');
});

test('a second Ctrl-C ends the platform and a command that ignores signals', async () => {
  await using running = startMillrace(['platform', 'exec', '--', ...waiting('')], {
    cwd: folder,
  });
  await running.until('stdout', /ready/);
  running.send('SIGTERM');
  await running.until('stdout', /got SIGTERM/);
  // Over is over: the command writes to the same output, which is not closed before it is gone too.
  expect((await running.sendAgain('SIGTERM')).code).toBe(130);
});
