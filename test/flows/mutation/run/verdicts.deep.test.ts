import path from 'node:path';
import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/index.ts';
import { withEdits } from '../../../../flows/mutation/faults/fault.ts';
import { changeableFiles, faultsOf, inSeededOrder } from '../../../../flows/mutation/run/mutants.ts';
import { mutate } from '../../../../flows/mutation/run/mutate.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';
import { verdictOnDisk } from './verdict-on-disk.ts';

/** Compares the verdicts about so many changes of a project, drawn by a seed, with runs of all tests on edited copies. */
async function compareVerdicts(directory: string, kind: WarehouseKind, max: number): Promise<number> {
  const project = openTestProject(directory, kind);
  const faults = changeableFiles(project).flatMap((file) => faultsOf(file, project));
  const report = await mutate(
    { project, files: testFiles(project), jobs: 2, seed: 1, equal: [] },
    { clock: systemClock, signal: new AbortController().signal },
  );
  expect(report.failed).toEqual([]);
  const results = new Map(report.changes.map((change) => [change.id, change]));
  const drawn = inSeededOrder(faults, 1).slice(0, max);
  for (const fault of drawn) {
    const result = results.get(fault.id);
    const edited = { file: fault.file, edit: (text: string) => withEdits(text, fault.edits) };
    const { verdict, failed } = await verdictOnDisk(directory, kind, edited);
    const expected = result?.verdict === 'not-reached' ? 'not-noticed' : result?.verdict;
    const { file, line, before, after } = fault;
    expect({ file, line, before, after, verdict }).toEqual({ file, line, before, after, verdict: expected });
    if (result?.noticedBy !== undefined) expect(failed).toContain(result.noticedBy.name);
  }
  return drawn.length;
}

test(
  'edited files of the example lead to the same verdicts about 70 changes',
  { timeout: 600_000 },
  async () => {
    const directory = path.resolve(import.meta.dirname, '../../../../examples/warehouse');
    expect(await compareVerdicts(directory, 'WAREHOUSE_ONE', 70)).toBe(70);
  },
);

const query = `with ranked as (
  select c.region, o.customer, o.amount, o.day,
    row_number() over (partition by o.customer, o.day order by o.amount desc, o.id) as place
  from orders o
  left join customers c on c.id = o.customer and c.active = true
  where o.amount between 5 and 100 and o.day >= date '2026-01-02'
)
select coalesce(region, 'none') as region, count(distinct customer) as customers, sum(amount) as total,
  max(case when amount > 50 then 'large' when amount > 20 then 'medium' else 'small' end) as size
from ranked where place = 1 group by 1 having sum(amount) <> 0
union all
select 'all', count(distinct customer), sum(amount) - 1, null from ranked where region is not null
`;

const small = {
  'report.tran.yaml': `pipeline:
  components:
    Query:
      type: sql
      parameters:
        query: |
${query.replaceAll(/^(?=.)/gm, '          ')}    Sizes:
      type: map-values
      sources: [Query]
      parameters:
        valueMap:
        - [total, Is, Greater than, '50', high]
        - [total, Is, Greater than or equal to, '10', middle]
        columnName: level
        other: low
    Write: { type: rewrite-table, sources: [Sizes], parameters: { targetTable: report } }
`,
  'report.test.yaml': `pipeline: report
tests:
  - name: two customers
    given:
      orders:
        columns: { id: INTEGER, customer: INTEGER, amount: INTEGER, day: DATE }
        rows:
          - { id: 1, customer: 1, amount: 30, day: 2026-01-02 }
          - { id: 2, customer: 1, amount: 60, day: 2026-01-02 }
          - { id: 3, customer: 2, amount: 10, day: 2026-01-03 }
          - { id: 4, customer: 2, amount: 200, day: 2026-01-03 }
          - { id: 5, customer: 3, amount: 7, day: 2026-01-01 }
      customers:
        columns: { id: INTEGER, region: VARCHAR, active: BOOLEAN }
        rows: [{ id: 1, region: north, active: true }, { id: 2, region: south, active: false }]
    expect:
      tables:
        report:
          rows:
            - { region: north, customers: 1, total: 60, size: large, level: high }
            - { region: none, customers: 1, total: 10, size: small, level: middle }
            - { region: all, customers: 1, total: 89, size: null, level: high }
`,
  'load.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Merge] } }
    Merge: { type: sql-executor, parameters: { scriptLocation: File, fileName: merge.sql } }
`,
  'merge.sql': `delete from target where day < '2026-01-01';
update target set amount = amount * 2 where id in (1, 2) and not closed;
insert into target select id, day, amount, false from source where amount is not null;
`,
  'load.test.yaml': `pipeline: load
tests:
  - name: loads
    given:
      target:
        columns: { id: INTEGER, day: DATE, amount: INTEGER, closed: BOOLEAN }
        rows: [{ id: 1, day: 2026-01-01, amount: 5, closed: false }, { id: 3, day: 2025-12-31, amount: 6, closed: true }]
      source:
        columns: { id: INTEGER, day: DATE, amount: INTEGER }
        rows: [{ id: 4, day: 2026-01-02, amount: 7 }]
    expect: { tables: { target: { rows: [{ id: 1, amount: 10 }, { id: 4, amount: 7 }] } } }
`,
};

test(
  'edited files of a small project in the second dialect lead to the same verdicts',
  { timeout: 600_000 },
  async () => {
    using folder = testFolder(small);
    expect(await compareVerdicts(folder.directory, 'WAREHOUSE_TWO', 200)).toBeGreaterThan(60);
  },
);
