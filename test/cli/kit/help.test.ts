import { describe, expect, test } from 'vitest';
import { commandTable } from '../../../cli/command-table.ts';
import { allCommands, wordsOf } from '../../../cli/kit/help.ts';
import { version } from '../../../lib/core/values/version.ts';
import { inProcess } from '../in-process.ts';
import { millrace } from '../millrace.ts';
import { wholeProgram } from '../whole-program.ts';

const program = wholeProgram();
const commands = program.commands.map((command) => command.name());
const servers = ['platform', 'worker'];
const readers = [
  'lsp',
  'mcp',
  'review',
  'test',
  'diff',
  'compile',
  'affected',
  'lineage',
  'graph',
  'snapshot',
  'audit',
  'doctor',
  'drift',
  'plan',
  'lanes',
  'promotions',
  'deliveries',
  'export',
  'completion',
  'metrics',
  'verify',
  // It writes one new file, which --out names.
  'evidence',
];

test('the program has all documented commands', () => {
  expect(commands).toEqual(
    expect.arrayContaining(
      [...servers, ...readers, 'publish', 'publish-shared', 'promote', 'run', 'rollback', 'api'].concat([
        'approve',
        'hold',
        'resume',
        'replay',
        'retry',
        'cancel',
      ]),
    ),
  );
});

test.each(commands)(
  'millrace %s --help prints a summary and the option --json on stdout, and ends with 0',
  async (name) => {
    const ended = await inProcess([name, '--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(new RegExp(`^Usage: millrace ${name} `));
    expect(ended.stdout).toContain('--json ');
    expect(ended.stdout).toMatch(/\n\n[A-Z].+\.\n/);
  },
);

test.each(commands.filter((name) => ![...servers, ...readers].includes(name)))(
  'millrace %s can change something, so it has --dry-run',
  async (name) => {
    expect((await inProcess([name, '--help'])).stdout).toContain('--dry-run ');
  },
);

test('millrace --help lists all commands; without a command the help goes to stderr with exit code 2', async () => {
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

test('--version after a command is the version of an artifact', async () => {
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

describe('help', () => {
  const all = allCommands(program);

  /** Words of a line as a shell takes them apart. */
  const shellWords = (line: string) =>
    Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);

  test.each(all.map(wordsOf))('of "%s" has examples, and the real program parses each', async (words) => {
    const { stdout } = await inProcess([...words.split(' '), '--help']);
    const examples = (stdout.split('\nExamples:\n')[1] ?? '').split('\n').filter((line) => line !== '');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const [name, ...args] = shellWords(example.trim());
      const real = wholeProgram();
      let called = '';
      for (const command of allCommands(real)) command.action(() => void (called = wordsOf(command)));
      await real.parseAsync(args, { from: 'user' });
      expect([name, called]).toEqual(['millrace', words]);
    }
  });

  test.each(all.map((command) => [wordsOf(command), command.options] as const))(
    'of "%s" marks the options that must be given, and no others',
    async (words, options) => {
      const { stdout } = await inProcess([...words.split(' '), '--help']);
      // The text of an option may continue on further lines.
      const lines = stdout.replaceAll(/\n {12,}/g, ' ').split('\n');
      for (const { long, mandatory } of options) {
        const line = lines.find((one) => new RegExp(`^ +(?:-\\w, )?${long ?? ''}(?: |$)`).test(one));
        expect(line?.includes('(required)')).toBe(mandatory);
      }
    },
  );

  test.each([
    ['publish', '--version or --tag'],
    ['rollback', '--environment, --lane or --shared; --reason with --lane'],
    ['resolve', 'the promotion with --execution or --happened, or --all with --happened'],
    ['run', 'the pipeline and --environment, or --attach'],
  ])('of %s says what is required: %s', async (name, required) => {
    expect((await inProcess([name, '--help'])).stdout).toContain(`\nRequired: ${required}.\n`);
  });

  test.each([
    [['help', 'nosuch'], "Unknown command 'nosuch'."],
    [['help', 'publsh'], 'Unknown command \'publsh\'. Did you mean "publish"?'],
    [['help', 'platform', 'nosuch'], "Unknown command 'nosuch'."],
    [['nosuch', '--help'], "Unknown command 'nosuch'."],
    [['help', '--json', 'nosuch'], "Unknown command 'nosuch'."],
  ])('%j is an error and ends in 2', async (args, message) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(message);
    expect(stdout + stderr).not.toContain('Usage:');
  });

  test.each([
    [[], ['--help']],
    [['run'], ['run', '--help']],
    [
      ['platform', 'exec'],
      ['platform', 'exec', '--help'],
    ],
    [
      ['worker', 'token'],
      ['worker', 'token', '--help'],
    ],
  ])('"help" and %j is what "--help" shows', async (words, option) => {
    expect(await inProcess(['help', ...words])).toEqual(await inProcess(option));
  });
});

test('the table of commands has the name and the summary of each command', () => {
  expect(commandTable.map(({ name, summary }) => [name, summary])).toEqual(
    program.commands.map((command) => [command.name(), command.description()]),
  );
});
