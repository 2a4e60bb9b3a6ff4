import { describe, expect, test } from 'vitest';
import { testReportSchema } from '../../../flows/pipeline-tests/report/report-schema.ts';
import { testFolder } from './test-project.ts';

/** Sets variables from a query over one table, and passes one to another pipeline. */
const pipeline = (variables: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Read] } }
    Read:
      type: query-to-scalar
      transitions: { success: [Call] }
      parameters: { mode: Advanced, query: 'SELECT "note" AS n FROM "notes"', scalarVariableMapping: [[note, n]] }
    Call:
      type: run-orchestration
      parameters: { orchestrationJob: called, setScalarVariables: [[moment, '\${passed}']] }
  variables:
    note: { metadata: { type: TEXT, visibility: PUBLIC } }
    passed: { metadata: { type: TEXT, visibility: PUBLIC }, defaultValue: '2024-01-05' }
${variables}`;

const called = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start }
  variables:
    moment: { metadata: { type: DATETIME, visibility: PUBLIC } }
`;

const typed = `    n: { metadata: { type: NUMBER, visibility: PUBLIC } }
    at: { metadata: { type: DATETIME, visibility: PUBLIC } }
    day: { metadata: { type: DATE, visibility: PUBLIC } }
    time: { metadata: { type: TIME, visibility: PUBLIC } }
    paid: { metadata: { type: BOOLEAN, visibility: PUBLIC } }
    grid: { metadata: { type: GRID, visibility: PUBLIC, columns: [{ name: id, type: NUMBER }, { name: note, type: TEXT }] } }
`;

function folderWith(written: string, variables = typed) {
  return testFolder({
    'load.orch.yaml': pipeline(variables),
    'called.orch.yaml': called,
    'load.test.yaml': `pipeline: load
tests:
  - name: loads
    given: { notes: { columns: { note: VARCHAR }, rows: [{ note: null }] } }
${written}`,
  });
}

describe('a text is never null: an SQL NULL is the empty text in a variable', () => {
  test.each([
    ['expected of a text', '    expect: { variables: { note: null } }\n', '5:34'],
    ['given to a text', '    variables: { passed: }\n    expect: { ran: [Read] }\n', '5:18'],
    ['a cell of a grid', '    variables: { grid: [[1, null]] }\n    expect: { ran: [Read] }\n', '5:29'],
    ['a mock', '    mock: { Read: { variables: { note: ~ } } }\n    expect: { ran: [Read] }\n', '5:40'],
  ])('null in %s is an error at its place', async (_, text, place) => {
    using folder = folderWith(text);
    const { code, stderr } = await folder.run();
    expect(stderr).toContain(`error: load.test.yaml:${place}: the variable "`);
    expect(stderr).toContain(`has texts, which are never null: write '' for the empty text`);
    expect(code).toBe(2);
  });

  test('the empty text is expected, and a number without a value is null', async () => {
    using folder = folderWith(
      "    expect: { variables: { note: '', n: null, at: null, passed: '2024-01-05' } }\n",
    );
    expect((await folder.report()).tests.map(({ differences }) => differences)).toEqual([[]]);
  });
});

describe('a value of a typed variable is written as tables write it', () => {
  const cases = [
    ['at', '2024-01-05zz', 'is a date and a time and cannot be "2024-01-05zz": write YYYY-MM-DD HH:MM:SS'],
    ['at', '2024-01-05 10:00', 'is a date and a time and cannot be "2024-01-05 10:00"'],
    ['at', '02024-01-05', 'is a date and a time and cannot be "02024-01-05"'],
    ['day', '2024-1-5', 'is a date and cannot be "2024-1-5": write YYYY-MM-DD'],
    ['day', '2024-01-05 00:00:00', 'is a date and cannot be "2024-01-05 00:00:00"'],
    ['time', '25:00:00', 'is a time and cannot be "25:00:00": write HH:MM:SS'],
    ['paid', 'yes', 'is a truth value and cannot be "yes": write true or false'],
    ['n', '7_1', 'is a number and cannot be "7_1"'],
    ['n', "' 7'", 'is a number and cannot be " 7"'],
    ['n', "'0x10'", 'is a number and cannot be "0x10"'],
    ['grid', '[[x, y]]', 'the variable "grid": the column "id" is a number and cannot be "x"'],
  ] as const;

  test('given, expected and in a mock, any other value is an error at its place', async () => {
    const parts = (value: string) => [
      `    variables: { ${value} }\n    expect: { ran: [Read] }\n`,
      `    expect: { variables: { ${value} } }\n`,
      `    mock: { Read: { variables: { ${value} } } }\n    expect: { ran: [Read] }\n`,
    ];
    using folder = folderWith('    expect: { ran: [Read] }\n');
    const start = folder.read('load.test.yaml').split('\n').slice(0, 4).join('\n');
    const wrong = cases.flatMap(([name, value, message]) =>
      parts(`${name}: ${value}`).map((part) => ({ part, message })),
    );
    for (const [index, { part }] of wrong.entries())
      folder.write(`wrong-${index}.test.yaml`, `${start}\n${part}`);
    const { code, stdout } = await folder.run('--format', 'json');
    const { problems = [] } = testReportSchema.parse(JSON.parse(stdout));
    const found = wrong.map(
      (_, index) =>
        problems.find((one) => one.file === `wrong-${index}.test.yaml` && one.line === 5)?.message,
    );
    expect(found).toEqual(wrong.map(({ message }) => expect.stringContaining(message)));
    expect(code).toBe(2);
  });

  test('values in their form pass', async () => {
    using folder = folderWith(
      `    variables: { n: 1e3, at: 2024-01-05T10:00:00.5Z, day: 2024-01-05, time: '10:00:00', paid: true, grid: [[1, ''], ['', x]] }
    expect: { variables: { n: 1000, at: 2024-01-05T10:00:00.5Z, grid: [[1, ''], [null, x]] } }\n`,
    );
    expect((await folder.report()).tests.map(({ differences }) => differences)).toEqual([[]]);
  });

  test.each([
    [
      'a default',
      '    at: { metadata: { type: DATETIME }, defaultValue: 2024-01-05zz }\n',
      '',
      'load.orch.yaml:16:5: the default value is refused: the variable "at" is a date and a time and cannot be "2024-01-05zz"',
    ],
    [
      'a default of a grid',
      '    g: { metadata: { type: GRID, columns: { id: { type: NUMBER } } }, defaultValue: [[1], [1_0]] }\n',
      '',
      'load.orch.yaml:16:5: the default value is refused: the variable "g": the column "id" is a number and cannot be "1_0"',
    ],
    [
      'a passed value',
      '',
      '    variables: { passed: 2024-01-05zz }\n',
      'the variable "moment" is a date and a time and cannot be "2024-01-05zz"',
    ],
  ])('%s that is written in another way fails the pipeline', async (_, variables, given, message) => {
    using folder = folderWith(`${given}    expect: { ran: [Read] }\n`, variables);
    const [result] = (await folder.report()).tests;
    expect(result?.status).toBe('failed');
    expect(result?.differences[0]?.message).toContain(message);
  });

  test('--init gives each of them a value in its form', async () => {
    using folder = folderWith('    expect: { ran: [Read] }\n');
    folder.write(
      'first.orch.yaml',
      `pipeline:\n  components:\n    Start: { type: start }\n  variables:\n${typed}`,
    );
    expect(await folder.run('--find-rows', '0s', '--init', 'first')).toMatchObject({ code: 0 });
    expect(folder.read('first.test.yaml')).toContain(
      "at: '2026-01-02 06:00:00', day: '2026-01-02', time: '06:00:00', paid: 'true'",
    );
  });

  test('a default that the caller replaces does not matter', async () => {
    using folder = folderWith(
      '    variables: { n: 5 }\n    expect: { variables: { n: 5 } }\n',
      '    n: { metadata: { type: NUMBER, visibility: PUBLIC }, defaultValue: abc }\n',
    );
    expect((await folder.report()).tests.map(({ differences }) => differences)).toEqual([[]]);
  });
});
