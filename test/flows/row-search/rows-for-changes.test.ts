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
});

test('the added test has the fewest rows with what they are for, and passes today only', async () => {
  using folder = testFolder(rowProject('WAREHOUSE_ONE'));
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const [border] = (await searched(folder, 'WAREHOUSE_ONE', ['p0.test.yaml'])).filter(({ change }) =>
    change.endsWith('Greater than or equal to'),
  );
  const id = border?.id ?? '';
  const mutant = await findMutant(id, { project, files: testFiles(project), jobs: 1 }, context);
  if (mutant === undefined) throw new Error('no change');
  const added = await addRowsFor(mutant, { project, seed: 1, budgetMs: 60_000 }, context);
  if (added === undefined || 'reason' in added) throw new Error(JSON.stringify(added));
  expect(added.after.slice(added.before.length))
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
