import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { systemClock } from '../../model/system-clock.ts';
import { version } from '../../model/version.ts';
import { inProcess } from './in-process.ts';
import { millrace } from './millrace.ts';

const program = createProgram({
  io: {
    argv: [],
    env: {},
    cwd: '/',
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interactive: false,
    signal: new AbortController().signal,
    clock: systemClock,
    random: Math.random,
  },
  end: () => {},
});
const commands = program.commands.map((command) => command.name());
const servers = ['platform', 'worker'];
const readers = ['review', 'graph', 'audit', 'doctor', 'drift', 'lanes', 'runs'];

test('the commands of the design that this issue brings are there', () => {
  expect(commands).toEqual(
    expect.arrayContaining(
      [...servers, ...readers, 'publish', 'publish-shared', 'promote', 'run', 'rollback', 'api'].concat([
        'approve',
        'hold',
        'release',
        'replay',
        'retry',
        'cancel',
      ]),
    ),
  );
});

test.each(commands)(
  'millrace %s --help says what it does and knows --json, on stdout, and ends in 0',
  async (name) => {
    const ended = await inProcess([name, '--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(new RegExp(`^Usage: millrace ${name} `));
    expect(ended.stdout).toContain('--json ');
    expect(ended.stdout).toMatch(/\n\n[A-Z].+\.\n/);
  },
);

test.each(commands.filter((name) => ![...servers, ...readers].includes(name)))(
  'millrace %s changes something, so it has --dry-run',
  async (name) => {
    expect((await inProcess([name, '--help'])).stdout).toContain('--dry-run ');
  },
);

test('the real command shows its commands, and without a command the help and exit 2', async () => {
  const [help, nothing] = await Promise.all([millrace(['--help']), millrace([])]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const name of commands) expect(help.stdout).toContain(`\n  ${name} `);
  expect(nothing).toMatchObject({ code: 2, stdout: '', stderr: help.stdout });
});

test.each(['--version', '-v', '-V', '--millrace-version'])(
  'millrace %s prints its own version',
  async (option) => {
    expect(await millrace([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  },
);

test('behind a command --version stays the version of an artifact', async () => {
  const { code, stderr } = await inProcess([
    'promote',
    '--version',
    'latest',
    '--from',
    'dev',
    '--to',
    'test',
  ]);
  expect([code, stderr]).toEqual([2, expect.not.stringContaining('unknown option')]);
});
