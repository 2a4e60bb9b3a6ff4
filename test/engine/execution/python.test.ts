import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPython, type Python } from '../../../engine/index.ts';
import { executable, isPythonMissing, plainPython, why } from '../python/python-here.ts';
import { pipeline, startThen, stepsOf, variable } from './execute.ts';
import { openTestWarehouse } from './on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const python = openPython({ program: executable, environment: process.env });

const variables = {
  text: variable('TEXT', 'a "b"'),
  whole: variable('NUMBER', '90071992547409931'),
  decimal: variable('NUMBER', '0.10'),
  unset: variable('NUMBER', ''),
  grid: variable('GRID', [['x', '1']], { columns: ['name', 'count'] }),
};

const files = (script: string, parameters: Readonly<Record<string, unknown>> = {}) => ({
  'main.orch.yaml': pipeline(
    { Start: startThen('It'), It: { type: 'python-script', parameters: { script, ...parameters } } },
    variables,
  ),
});

const run = (script: string, parameters: Readonly<Record<string, unknown>> = {}) =>
  opened.schema().run(files(script, parameters), { python });

const pushdown = (script: string, parameters: Readonly<Record<string, unknown>> = {}) => ({
  'main.orch.yaml': pipeline({
    Start: startThen('It'),
    It: { type: 'python-pushdown', parameters: { pythonScript: script, ...parameters } },
  }),
});

/** The pipeline as people write it: the script begins on line 8. */
const written = (script: string) => ({
  'main.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [It] } }
    It:
      type: python-script
      parameters:
        script: |
${script.replaceAll(/^/gm, '          ')}
`,
});

describe.skipIf(isPythonMissing)(`a Python component with permission${why}`, () => {
  test('sees variables as exact numbers, texts and lists, and sets them by their types', async () => {
    const done = await run(`from decimal import Decimal
print(text, whole + 1, decimal + Decimal("0.2"), unset, grid)
for name, *rest in grid: print(name, rest)
context.updateVariable("text", ["a", 1])
context.updateVariable("whole", whole * 10)
context.updateVariable("decimal", 1e-7)
context.updateVariable("unset", None)
context.updateGridVariable("grid", context.getGridVariable("grid") + [["y", 2.5], (None, True)])
print(context.getGridVariable("grid"))`);
    expect(stepsOf(done.state, 'It')[0]?.message).toBe(
      `a "b" 90071992547409932 0.30 None [['x', '1']]
x ['1']
[['x', '1'], ['y', '2.5'], ['', 'True']]`,
    );
    expect(done.state.status).toBe('SUCCESS');
    expect(done.variable('text')).toBe("['a', 1]");
    expect(done.variable('whole')).toBe('900719925474099310');
    expect(done.variable('decimal')).toBe('0.0000001');
    expect(done.variable('unset')).toBe('');
    expect(done.variable('grid')).toEqual([
      ['x', '1'],
      ['y', '2.5'],
      ['', 'True'],
    ]);
  });

  test('may `return` at its top level, and keeps its names global', async () => {
    const done = await run(`count = whole
def add():
  global count
  count = count + 1
add()
if count > 1:
  whole = 5
  print(count, whole)
  return
print("not here")`);
    expect(stepsOf(done.state, 'It')[0]?.message).toBe('90071992547409932 5');
  });

  describe('with its script in a file', () => {
    const inFile = (path: string, more: Readonly<Record<string, unknown>> = {}) => ({
      ...pushdown('', { pythonScriptLocation: path, ...more }),
      'python/check.py': 'x = 1\nprint(x)\nraise ValueError("no rows")',
      'python/print.py': 'print("from a file")',
    });
    const stepOf = async (projectFiles: ReturnType<typeof inFile>) =>
      stepsOf((await opened.schema().run(projectFiles, { python })).state, 'It')[0];

    test('runs it', async () => {
      expect(await stepOf(inFile('python/print.py'))).toMatchObject({
        status: 'SUCCESS',
        message: 'from a file',
      });
    });

    test('names its line', async () => {
      const message = expect.stringContaining('python/check.py:3:1: ValueError: no rows') as unknown;
      expect(await stepOf(inFile('python/check.py'))).toMatchObject({ status: 'FAILED', message });
    });

    test.each([
      ['python/none.py', {}, 'main.orch.yaml:1:194: the file "python/none.py" was not found'],
      ['python/../../secret.py', {}, 'the file "python/../../secret.py" was not found'],
      ['/etc/hostname', {}, 'the file "/etc/hostname" was not found'],
      [
        'python/print.py',
        { pythonScript: 'print(1)' },
        'both pythonScript and pythonScriptLocation are set; remove one of them',
      ],
      ['python/print.py', { arguments: [['day', '1']] }, 'Millrace does not support the parameter arguments'],
    ])('refuses %s %j', async (path, more, text) => {
      const message = expect.stringContaining(text) as unknown;
      expect(await stepOf(inFile(path, more))).toMatchObject({ status: 'FAILED', message });
    });
  });

  test('keeps `${name}` as written, and ends with success after sys.exit(0)', async () => {
    const done = await run('import sys\nprint("${text} ${lost}")\nsys.exit(0)');
    expect(stepsOf(done.state, 'It')[0]).toMatchObject({ status: 'SUCCESS', message: '${text} ${lost}' });
  });

  test.each([
    [
      'an exception',
      'x = 1\n\nraise ValueError("no rows")',
      10,
      11,
      'ValueError: no rows (line 3 of the script)',
    ],
    [
      'one in a function',
      'def f():\n  return 1 / 0\nf()',
      9,
      13,
      'ZeroDivisionError: division by zero (line 2',
    ],
    ['a syntax error', 'x = 1\nif x', 9, 11, "SyntaxError: expected ':' (line 2"],
    [
      'a package that is not installed',
      'import not_here_at_all',
      8,
      11,
      'ModuleNotFoundError: No module named',
    ],
    ['an exit code', 'import sys\nsys.exit(3)', 9, 11, 'SystemExit: the script ended with 3'],
    ['an unknown variable', 'context.updateVariable("lost", 1)', 8, 11, 'the variable "lost" is not defined'],
  ])('fails with type, message and line of %s', async (_, script, line, column, message) => {
    const { state } = await opened.schema().run(written(script), { python });
    expect(state.failed).toMatchObject({ component: 'It' });
    expect(state.failed?.message).toContain(`main.orch.yaml:${line}:${column}: `);
    expect(state.failed?.message).toContain(message);
    expect(state.failed?.message).not.toMatch(/Traceback|script_run|launcher/);
  });

  test.each([
    ['a text for a number', 'context.updateVariable("whole", "many")', 'is a number and cannot be "many"'],
    ['a boolean for a number', 'context.updateVariable("whole", True)', 'is a number and cannot be "True"'],
    [
      'an infinite number',
      'context.updateVariable("whole", float("inf"))',
      'is a number and cannot be "inf"',
    ],
    ['a value for a grid', 'context.updateVariable("grid", 1)', 'is a grid: use updateGridVariable'],
    ['rows for a text', 'context.updateGridVariable("text", [])', 'the variable "text" is not a grid'],
    ['a row that is too short', 'context.updateGridVariable("grid", [["a"]])', 'has 2 columns; row 1 has 1'],
    ['no list of lists', 'context.updateGridVariable("grid", ["ab"])', 'takes a list of lists'],
    ['too many rows', 'context.updateGridVariable("grid", [["a", 1]] * 1001)', 'more than 1000 rows'],
  ])('that sets %s fails, and sets nothing', async (_, script, message) => {
    const done = await run(`context.updateVariable("text", "changed")\n${script}`);
    expect(done.state.failed?.message).toContain(message);
    expect(done.variable('text')).toBe('a "b"');
  });

  test.each([
    ['context.cursor', files('c = context.cursor()')],
    ['context.getConnection', files('try:\n  context.getConnection()\nexcept BaseException: pass')],
    ['session.sql', pushdown('print(session.sql("SELECT 1"))')],
  ])('is refused where it uses %s, with the mock to add', async (name, projectFiles) => {
    const { state } = await opened.schema().run(projectFiles, { python });
    expect(state.failed?.refusal).toMatchObject({
      construct: `\`${name}\` in Python`,
      hint: 'mock the component:\nmock:\n  It: {}',
    });
  });

  test('is refused with another interpreter, and fails with a time limit that is not a number', async () => {
    const other = await run('print 1', { interpreter: 'Jython' });
    expect(other.state.failed?.refusal).toMatchObject({
      construct: 'interpreter: Jython',
      hint: 'use Python 3',
    });
    const never = await run('print(1)', { timeout: 'never' });
    expect(never.state.failed?.message).toContain(
      'expected a number of seconds above 0 for timeout, found "never"',
    );
  });

  test('shows what it wrote, and which version it ran with, also where it failed', async () => {
    const script = 'import sys\nprint("before")\nprint("careful", file=sys.stderr)';
    const parameters = { pythonVersion: '3.1', packages: ['pandas'], scriptTimeout: '60' };
    const done = await opened.schema().run(pushdown(script, parameters), { python });
    expect(stepsOf(done.state, 'It')[0]).toMatchObject({
      message: 'before',
      notices: expect.arrayContaining([
        'standard error: careful',
        expect.stringMatching(/^the component requires Python 3\.1, but ran with Python 3\.\d+$/),
      ]) as unknown,
    });
    const failed = await run(`${script}\nraise KeyError("x")`);
    expect(failed.state.failed?.message).toContain("KeyError: 'x'");
    expect(failed.state.failed?.message).toContain('Its output:\nbefore\ncareful');
  });

  test('says what it could reach on a system without namespaces', async () => {
    using plain = plainPython();
    const other = openPython({ program: plain.program, environment: process.env });
    const { state } = await opened.schema().run(files('print(1)'), { python: other });
    expect(stepsOf(state, 'It')[0]?.notices).toEqual([
      'this system cannot prevent a script from using the network and writing files',
    ]);
  });

  test('is ended when the execution is terminated by force', async () => {
    const execution = opened.schema().start(files('while True: pass'), { python });
    await expect.poll(() => stepsOf(execution.state(), 'It')[0]?.status).toBe('RUNNING');
    execution.terminate(true);
    const state = await execution.ended;
    expect(state.status).toBe('CANCELLED');
    expect(stepsOf(state, 'It')[0]?.status).toBe('CANCELLED');
  });
});

test('without permission, a Python component runs nothing and asks for a mock or the permission', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-marker-'));
  const marker = join(folder, 'marker');
  try {
    const script = `open(${JSON.stringify(marker)}, "w")\ncontext.updateVariable("text", "x")`;
    const done = await opened.schema().run(files(script));
    expect(done.state.failed?.message).toContain(
      'Millrace does not support the component type python-script; allow Python with --allow-python, or mock the component:\nmock:\n  It:\n    variables: { text: text }',
    );
    expect(existsSync(marker)).toBe(false);
    expect(done.variable('text')).toBe('a "b"');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('while a script runs, other executions use the warehouse', async () => {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  const waiting: Python = {
    run() {
      begun.resolve();
      return end.promise;
    },
  };
  const schema = opened.schema();
  const execution = schema.start(files('print(1)'), { python: waiting });
  await begun.promise;
  const sql = { type: 'sql-script', parameters: { sqlScript: 'CREATE TABLE t AS SELECT 1 AS n' } };
  const other = await schema.run({ 'main.orch.yaml': pipeline({ Start: startThen('It'), It: sql }) });
  expect(other.state.status).toBe('SUCCESS');
  expect(execution.state().status).toBe('RUNNING');
  end.resolve(undefined);
  await execution.ended;
});

test('without an interpreter, a Python component says how to get one', async () => {
  const missing = openPython({ program: 'no-such-python', environment: process.env });
  const { state } = await opened.schema().run(files('print(1)'), { python: missing });
  expect(state.failed?.message).toBe(
    '"no-such-python" could not be started (ENOENT). Install Python 3.9 or later, or choose its program with --python',
  );
});
