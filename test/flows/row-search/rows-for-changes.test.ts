import { expect, test } from 'vitest';
import type { Fault } from '../../../flows/mutation/faults/fault.ts';
import { findMutant, mutate } from '../../../flows/mutation/run/mutate.ts';
import type { ReachingTest } from '../../../flows/mutation/run/reach.ts';
import { testFiles } from '../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { addRowsFor, withRowsFound } from '../../../flows/row-search/rows-for-changes.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { type TestFolder, testFolder } from '../../cli/tests/test-project.ts';
import { rowProject } from './row-project.ts';

const context = { clock: systemClock, signal: new AbortController().signal };

async function added(folder: TestFolder, id: string, budgetMs = 60_000) {
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const mutant = await findMutant(id, { project, files: testFiles(project), jobs: 1 }, context);
  if (mutant === undefined) throw new Error('no change');
  const result = await addRowsFor(mutant, { project, seed: 1, budgetMs }, context);
  if ('reason' in result) throw new Error(JSON.stringify(result));
  return result;
}

async function searched(
  folder: TestFolder,
  kind: 'WAREHOUSE_ONE' | 'WAREHOUSE_TWO',
  files?: readonly string[],
) {
  const project = openTestProject(folder.directory, kind);
  let testsOf: (fault: Fault) => readonly ReachingTest[] = () => [];
  const onReach = (find: typeof testsOf) => {
    testsOf = find;
  };
  const request = {
    project,
    files: files ?? testFiles(project),
    jobs: 2,
    seed: 1,
    equal: [],
    filter: undefined,
  };
  const report = await mutate({ ...request, isOnlyRead: true, onReach }, context);
  const result = await withRowsFound(report, testsOf, { project, seed: 1, budgetMs: 60_000 }, context);
  return result.changes.flatMap(({ id, component = '', before, after, verdict, rows }) =>
    verdict === 'not-noticed' ? [{ id, rows, change: `${component}: ${before} → ${after}` }] : [],
  );
}

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  'rows are found for each change that no test notices, in %s',
  async (kind) => {
    using folder = testFolder(rowProject(kind));
    const changes = await searched(folder, kind);
    expect(changes.length).toBeGreaterThan(20);
    expect(changes.filter(({ rows }) => rows !== 'found')).toEqual([]);
  },
);

test('rows are found for the change of one condition of two, both of which no row of the test meets', async () => {
  using folder = testFolder({
    'two.tran.yaml': `pipeline:
  components:
    Orders: { type: table-input, parameters: { targetTable: orders, columnNames: [note, amount] } }
    F: { type: filter, sources: [Orders], parameters: { filterConditions: [[note, Is, Equal to, vip], [amount, Is, Greater than, '100']], combineCondition: And } }
    Write: { type: rewrite-table, sources: [F], parameters: { targetTable: result } }
`,
    'two.test.yaml': `pipeline: two\ntests: [{ name: runs, given: { orders: { rows: [{ note: large, amount: 20 }] } }, expect: { ran: [Write] } }]\n`,
  });
  const changes = await searched(folder, 'WAREHOUSE_ONE');
  expect(changes.length).toBeGreaterThan(3);
  expect(changes.filter(({ rows }) => rows !== 'found')).toEqual([]);
});

test('a change that makes no difference is perhaps equal, never equal', async () => {
  using folder = testFolder({
    'equal.tran.yaml': `pipeline:
  components:
    Sequence: { type: generate-sequence, parameters: { startValue: 1, incrementValue: 1, endValue: 3, outputColumn: n } }
    F: { type: filter, sources: [Sequence], parameters: { filterConditions: [[n, Is, Less than, '9']], combineCondition: And } }
    Write: { type: rewrite-table, sources: [F], parameters: { targetTable: numbers } }
`,
    'equal.test.yaml': `pipeline: equal\ntests: [{ name: runs, expect: { tables: { numbers: { count: 3 } } } }]\n`,
  });
  const changes = await searched(folder, 'WAREHOUSE_ONE', ['equal.test.yaml']);
  expect(changes.map(({ change, rows }) => [change, rows])).toEqual([
    ['F: n, Is, Less than, 9 → ', 'perhaps-equal'],
    ['F: Less than → Less than or equal to', 'perhaps-equal'],
    ['F: 9 → 10', 'perhaps-equal'],
  ]);
  const id = changes.at(-1)?.id ?? '';
  await expect(added(folder, id)).rejects.toThrow('perhaps it never does; --seed 2');
  await expect(added(folder, id, 0)).rejects.toThrow('time of 0 ms was used up; give it more time');
});

test('the added test has the fewest rows with what they are for, and passes today only', async () => {
  using folder = testFolder(rowProject('WAREHOUSE_ONE'));
  const [border] = (await searched(folder, 'WAREHOUSE_ONE', ['p0.test.yaml'])).filter(({ change }) =>
    change.endsWith('Greater than or equal to'),
  );
  const id = border?.id ?? '';
  const { before, after } = await added(folder, id);
  expect(after.slice(before.length))
    .toBe(`  - name: "shows F: Greater than → Greater than or equal to (${id})"
    given:
      orders:
        columns: { id: 'NUMBER(38,0)', customer: 'NUMBER(38,0)', amount: 'NUMBER(38,1)', note: VARCHAR }
        rows:
          - { id: 1, customer: 1, amount: 10, note: large } # amount: exactly 10
      customers:
        columns: { cid: 'NUMBER(38,0)', name: VARCHAR }
        rows: []
    # the result of today's pipeline: is it right?
    expect:
      tables:
        result: { rows: [] } # no example row reaches this table
`);
});

const step = (name: string, next: string, rest: string) =>
  `    ${name}: { ${next === '' ? '' : `transitions: { ${next} }, `}${rest} }\n`;
const orchestration = (components: string, variables = '') =>
  `pipeline:\n  components:\n${step('Start', 'unconditional: [First]', 'type: start, parameters: {}')}${components}${variables}`;

test('each offer becomes a test, also for tables that nothing writes and for many rows', async () => {
  const create = `type: create-table-v2, parameters: { createMethod: Create If Not Exists, table: kept, columns: [[id, NUMBER, '', '', 'No', 'No', '', '']] }`;
  const clear = `type: sql-executor, parameters: { scriptLocation: Component, sqlScript: 'DELETE FROM "kept" WHERE "id" > 3' }`;
  using folder = testFolder({
    'create.orch.yaml': orchestration(step('First', '', create)),
    'create.test.yaml': `pipeline: create\ntests:\n  - { name: runs, expect: { ran: [First] } }\n`,
    'delete.orch.yaml': orchestration(step('First', '', clear)),
    'delete.test.yaml': `pipeline: delete\ntests:\n  - name: runs\n    given: { kept: { columns: { id: NUMBER }, rows: [{ id: 3 }] } }\n    expect: { ran: [First] }\n`,
    'many.tran.yaml': `pipeline:
  components:
    Sequence: { type: generate-sequence, parameters: { startValue: 1, incrementValue: 1, endValue: 30, outputColumn: n } }
    Half: { type: calculator, sources: [Sequence], parameters: { includeInputColumns: 'Yes', calculations: [['"n" / 2 + 1', half]] } }
    Write: { type: rewrite-table, sources: [Half], parameters: { targetTable: numbers } }
`,
    'many.test.yaml': `pipeline: many\ntests:\n  - { name: runs, expect: { tables: { numbers: { count: 30 } } } }\n`,
  });
  const changes = await searched(folder, 'WAREHOUSE_ONE');
  expect(changes.filter(({ rows }) => rows !== 'found')).toEqual([]);
  const files = new Set<string>();
  for (const { id } of changes) for (const { file } of (await added(folder, id)).files) files.add(file);
  expect([...files]).toEqual(['many.numbers.json']);
  expect(changes.length).toBeGreaterThan(4);
});

test('rows are found for times at a distance from now, for the latest time of a table, and for a rank', async () => {
  const sql = (text: string) =>
    `type: sql-executor, parameters: { scriptLocation: Component, sqlScript: '${text}' }`;
  const latest = `INSERT INTO "checked" SELECT CASE WHEN DATEDIFF(hour, MAX("at"), CURRENT_TIMESTAMP()) > 24 THEN 1 ELSE 2 END FROM "loads"`;
  const given = `    given:\n      loads: { columns: { id: NUMBER, at: TIMESTAMP }, rows: [{ id: 1, at: '2026-01-01 06:00:00' }, { id: 2, at: '2026-01-02 06:00:00' }] }\n`;
  using folder = testFolder({
    'old.orch.yaml': orchestration(
      step('First', '', sql('DELETE FROM "loads" WHERE "at" < DATEADD(day, -30, CURRENT_TIMESTAMP())')),
    ),
    'old.test.yaml': `pipeline: old\ntests:\n  - name: runs\n${given}    expect: { ran: [First] }\n`,
    'latest.orch.yaml': orchestration(step('First', '', sql(latest))),
    'latest.test.yaml': `pipeline: latest\ntests:\n  - name: runs\n${given}      checked: { columns: { n: NUMBER }, rows: [] }\n    expect: { ran: [First] }\n`,
    'best.tran.yaml': `pipeline:
  components:
    Scores: { type: table-input, parameters: { targetTable: scores, columnNames: [player, medal] } }
    Points: { type: calculator, sources: [Scores], parameters: { includeInputColumns: 'Yes', calculations: [["CASE WHEN \\"medal\\" = 'gold' THEN 3 ELSE 0 END", points]] } }
    Sum: { type: aggregate, sources: [Points], parameters: { groupings: [player], aggregations: [[points, Sum]], groupingType: Group By } }
    Rank: { type: rank, sources: [Sum], parameters: { includeInputColumns: 'Yes', orderingWithinPartitions: [[sum_points, Descending]], functions: [[Rank, place]] } }
    Best: { type: filter, sources: [Rank], parameters: { filterConditions: [[place, Is, Less than or equal to, '10']], combineCondition: And } }
    Write: { type: rewrite-table, sources: [Best], parameters: { targetTable: best } }
`,
    'best.test.yaml': `pipeline: best\ntests:\n  - name: runs\n    given: { scores: { rows: [{ player: Ann, medal: gold }, { player: Bob, medal: none }] } }\n    expect: { ran: [Write] }\n`,
  });
  const changes = await searched(folder, 'WAREHOUSE_ONE');
  expect(changes.filter(({ rows }) => rows !== 'found')).toEqual([]);
  expect(changes.map(({ change }) => change)).toEqual(
    expect.arrayContaining([
      'First: < → <=',
      'First: 30 → 31',
      'First: 24 → 25',
      'Best: Less than or equal to → Less than',
      'Best: 10 → 11',
    ]),
  );
});
