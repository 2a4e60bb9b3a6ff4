import { describe, expect, test } from 'vitest';
import { type ColumnGraph, columnGraph } from '../../../flows/data-graph/lineage/column-graph.ts';
import { findColumn } from '../../../flows/data-graph/lineage/find-column.ts';
import { traceLineage } from '../../../flows/data-graph/lineage/lineage.ts';
import { lineageLines } from '../../../flows/data-graph/lineage/lineage-lines.ts';
import { lineageMermaid } from '../../../flows/data-graph/lineage/lineage-mermaid.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { copy, type Files, graphOf, script, sqlStep, steps, variable } from './small-projects.ts';

const both = { up: true, down: true };

async function columnsOf(files: Files): Promise<ColumnGraph> {
  return columnGraph(await graphOf(files, 'WAREHOUSE_ONE', true));
}

/** What the terminal shows of a lineage, without the line about the project. */
function shown(columns: ColumnGraph, name: string, directions = both): string {
  const report = traceLineage(columns, findColumn(columns, name), directions);
  const { kind, defaults } = columns.graph.project;
  return lineageLines(report, { kind, defaults, ...directions })
    .slice(0, -1)
    .join('\n')
    .trim();
}

const shop: Files = {
  'make.orch.yaml': script(`
    create table LANDED (ID number, LAND varchar, SUM number, OLD varchar);
    create table REPORT (LAND varchar, TOTAL number);`),
  'clean.tran.yaml': copy('LANDED', ['ID', 'LAND', 'SUM'], 'CLEAN', ['ID', 'COUNTRY', 'AMOUNT']),
  'report.orch.yaml': steps(
    [
      sqlStep(
        'View',
        'create or replace view LARGE as select COUNTRY, AMOUNT * 2 as TWICE from CLEAN where ID > 7',
      ),
      sqlStep(
        'Merge',
        `merge into REPORT r using (select COUNTRY, sum(TWICE) as T from LARGE group by COUNTRY) s on r.LAND = s.COUNTRY
       when matched then update set TOTAL = r.TOTAL + s.T when not matched then insert (LAND, TOTAL) values (s.COUNTRY, s.T)`,
      ),
      sqlStep('Correct', `update REPORT set LAND = 'none' where LAND is null`),
      [
        'Ask',
        'query-to-scalar',
        {
          mode: 'Advanced',
          query: 'select max(TOTAL) as M from REPORT',
          scalarVariableMapping: [['m', 'M']],
        },
      ],
    ],
    { m: '' },
  ),
};

describe('a column is followed through pipelines', () => {
  test('to a table from outside, with the component of each step', async () => {
    const columns = await columnsOf(shop);
    expect(shown(columns, 'REPORT.TOTAL', { up: true, down: false })).toMatchInlineSnapshot(`
      "REPORT.TOTAL comes from
      ├─ REPORT.TOTAL, computed by "Merge" (report.orch.yaml:1); its sources are shown above
      ├─ LARGE.TWICE, aggregated by "Merge" (report.orch.yaml:1)
      │  └─ CLEAN.AMOUNT, computed by "View" (report.orch.yaml:1)
      │     └─ LANDED.SUM (no component of the project writes it), copied by "Write" (clean.tran.yaml:14)
      └─ "Merge" (report.orch.yaml:1) chooses rows by LARGE.COUNTRY and REPORT.LAND"
    `);
    expect(shown(columns, 'landed.sum', { up: false, down: true })).toMatchInlineSnapshot(`
      "LANDED.SUM is read by
      └─ CLEAN.AMOUNT, copied by "Write" (clean.tran.yaml:14)
         └─ LARGE.TWICE, computed by "View" (report.orch.yaml:1)
            └─ REPORT.TOTAL, aggregated by "Merge" (report.orch.yaml:1)
               ├─ REPORT.TOTAL, computed by "Merge" (report.orch.yaml:1); its readers are shown above
               └─ only read: "Ask" (report.orch.yaml:1)"
    `);
    expect(shown(columns, 'CLEAN.ID')).toMatchInlineSnapshot(`
      "CLEAN.ID comes from
      └─ LANDED.ID (no component of the project writes it), copied by "Write" (clean.tran.yaml:14)

      CLEAN.ID is read by
      └─ only chooses rows of LARGE: "View" (report.orch.yaml:1)"
    `);
    expect(shown(columns, 'LANDED.OLD')).toMatchInlineSnapshot(`
      "LANDED.OLD comes from
      └─ no component of the project writes it

      LANDED.OLD is read by
      └─ no component of the project"
    `);
    expect(shown(columns, 'REPORT')).toMatchInlineSnapshot(`
      "REPORT: columns
        column  comes from                 how                   written by
        LAND    LARGE.COUNTRY              copied                "Merge" (report.orch.yaml:1)
        LAND    no column                  computed              "Correct" (report.orch.yaml:1)
        TOTAL   REPORT.TOTAL, LARGE.TWICE  computed, aggregated  "Merge" (report.orch.yaml:1)

      REPORT: readers
        "Merge" (report.orch.yaml:1)
          TOTAL to REPORT.TOTAL, computed
          LAND only chooses rows of REPORT
        "Correct" (report.orch.yaml:1)
          LAND only chooses rows of REPORT
        "Ask" (report.orch.yaml:1)
          TOTAL only read"
    `);
  });

  test('to the values that only choose it', async () => {
    const columns = await columnsOf({
      'a.orch.yaml': script(`create table S (A number, B number);
        create table R as select A, row_number() over (order by B) as N, sum(A) over (partition by B) as P from S;`),
    });
    expect(shown(columns, 'R')).toMatchInlineSnapshot(`
      "R: columns
        column  comes from                how         written by
        A       S.A                       copied      "Script" (a.orch.yaml:12)
        N       no column; chosen by S.B  computed    "Script" (a.orch.yaml:12)
        P       S.A; chosen by S.B        aggregated  "Script" (a.orch.yaml:12)

      R: readers
        no component of the project"
    `);
    expect(shown(columns, 'R.N', { up: true, down: false })).toMatchInlineSnapshot(`
      "R.N comes from
      ├─ no column: computed by "Script" (a.orch.yaml:12)
      └─ "Script" (a.orch.yaml:12) chooses values by S.B"
    `);
    expect(shown(columns, 'S.B', { up: false, down: true })).toMatchInlineSnapshot(`
      "S.B is read by
      ├─ only chooses values of R.N: "Script" (a.orch.yaml:12)
      └─ only chooses values of R.P: "Script" (a.orch.yaml:12)"
    `);
  });

  test('in Mermaid, with a box for each table', async () => {
    const columns = await columnsOf(shop);
    const report = traceLineage(columns, findColumn(columns, 'LARGE.TWICE'), both);
    expect(lineageMermaid(report, 'WAREHOUSE_ONE').join('\n')).toMatchInlineSnapshot(`
      "flowchart LR
        subgraph t0["TEST.PUBLIC.LARGE"]
          c0["TWICE"]
        end
        subgraph t1["TEST.PUBLIC.CLEAN"]
          c1["AMOUNT"]
        end
        subgraph t2["TEST.PUBLIC.LANDED"]
          c2["SUM"]
        end
        subgraph t3["TEST.PUBLIC.REPORT"]
          c3["TOTAL"]
        end
        c1 -->|"View<br/>report"| c0
        c2 -->|"Write<br/>clean"| c1
        c0 -->|"Merge<br/>report"| c3
        c3 -->|"Merge<br/>report"| c3
        n0(["Ask<br/>report"])
        c3 -.-> n0"
    `);
  });

  test('once around a cycle', async () => {
    const columns = await columnsOf({
      'a.orch.yaml': script(
        'create table T (A number, B number);\nupdate T set A = A + B;\ninsert into T (A, B) select B, A from T;',
      ),
    });
    expect(shown(columns, 'T.A')).toMatchInlineSnapshot(`
      "T.A comes from
      ├─ T.A, computed by "Script" (a.orch.yaml:12); its sources are shown above
      ├─ T.B, computed by "Script" (a.orch.yaml:12)
      │  └─ T.A, copied by "Script" (a.orch.yaml:13); its sources are shown above
      └─ T.B, copied by "Script" (a.orch.yaml:13); its sources are shown above

      T.A is read by
      ├─ T.A, computed by "Script" (a.orch.yaml:12); its readers are shown above
      └─ T.B, copied by "Script" (a.orch.yaml:13)
         ├─ T.A, computed by "Script" (a.orch.yaml:12); its readers are shown above
         └─ T.A, copied by "Script" (a.orch.yaml:13); its readers are shown above"
    `);
  });

  test('from a table that is known only by the columns that components list', async () => {
    const columns = await columnsOf({
      'a.tran.yaml': copy('S', ['X', 'Y'], 'T'),
      'b.tran.yaml': copy('T', ['Y'], 'U', ['Z']),
    });
    const alone = await columnsOf({ 'a.tran.yaml': copy('S', ['X'], 'T') });
    expect(shown(alone, 'T.X', { up: true, down: false })).toBe(
      'T.X comes from\n└─ S.X (outside of the project), copied by "Write" (a.tran.yaml:14)',
    );
    expect(shown(columns, 'U.Z', { up: true, down: false })).toMatchInlineSnapshot(`
      "U.Z comes from
      └─ T.Y, copied by "Write" (b.tran.yaml:14)
         └─ S.Y (outside of the project), copied by "Write" (a.tran.yaml:14)"
    `);
    expect(shown(columns, 'S.X')).toMatchInlineSnapshot(`
      "S.X comes from
      └─ outside of the project

      S.X is read by
      └─ T.X, copied by "Write" (a.tran.yaml:14)"
    `);
  });

  test('to each of several writers', async () => {
    const columns = await columnsOf({
      'a.tran.yaml': copy('S1', ['X'], 'T'),
      'b.tran.yaml': copy('S2', ['Y'], 'T', ['X']),
      's.orch.yaml': script('create table S1 (X number);\ncreate table S2 (Y number);'),
    });
    expect(shown(columns, 'T.X', { up: true, down: false })).toMatchInlineSnapshot(`
      "T.X comes from
      ├─ S1.X (no component of the project writes it), copied by "Write" (a.tran.yaml:14)
      └─ S2.Y (no component of the project writes it), copied by "Write" (b.tran.yaml:14)"
    `);
  });
});

interface Unknown {
  readonly files: Files;
  /** What is shown above `T.A`, and below `S.A`. */
  readonly above: readonly string[];
  readonly below: readonly string[];
}

const none = '└─ no component of the project';
const nothingWrites = '└─ no component of the project writes it';
const unnamed = [
  '',
  'Components that use a table whose name depends on a variable without a known value, which may be one of these',
  '  "Script" (fill.orch.yaml:11): the variable "what"',
];
const script11 = '"Script" (fill.orch.yaml:11)';
const ofSql = 'unknown: SQL depends on the variable "what", whose value is only known when the pipeline runs';
test('what removes rows or adds rows without a column decides about the rows of the column', async () => {
  const columns = await columnsOf({
    'make.orch.yaml': script('create table DT (A number, B number); create table OTH (Z number, Y number);'),
    'write.orch.yaml': steps([
      sqlStep('Delete', 'delete from DT using OTH where DT.A = OTH.Z'),
      sqlStep('Insert', 'insert into DT (B) select 1 from OTH where Y > 1'),
      sqlStep('Update', 'update DT set B = 2 where B > 3'),
    ]),
  });
  const { decisions } = traceLineage(columns, findColumn(columns, 'DT.A'), { up: true, down: false });
  expect(decisions.map(({ from, about, writer }) => `${from} ${about} ${writer.component}`)).toEqual([
    'TEST.PUBLIC.DT.A rows Delete',
    'TEST.PUBLIC.OTH.Z rows Delete',
    'TEST.PUBLIC.OTH.Y rows Insert',
  ]);
});

const ofName =
  'unknown: the name of a table depends on the variable "what", whose value is only known when the pipeline runs';

const unknownCases: Readonly<Record<string, Unknown>> = {
  'a component that needs a mock': {
    files: { 'load.orch.yaml': steps([['Load', 's3-load', { targetTable: 'T' }]]) },
    above: ['└─ unknown: Millrace does not support the component type s3-load: "Load" (load.orch.yaml:1)'],
    below: [none],
  },
  'Python that names the table': {
    files: {
      'code.orch.yaml': steps([
        ['Code', 'python-pushdown', { pythonScript: `session.sql('create table T as select 1').collect()` }],
      ]),
    },
    above: ['└─ unknown: code that cannot be compiled names the table: "Code" (code.orch.yaml:1)'],
    below: [none],
  },
  'a variable in the SQL': {
    files: { 'fill.orch.yaml': script('insert into T (A, B) select ${what}, B from S', variable('what')) },
    above: [`└─ ${ofSql}: ${script11}`],
    below: [`└─ ${ofSql}: ${script11}`],
  },
  'nothing, with a variable in a text': {
    files: {
      'fill.orch.yaml': script(
        `insert into T (A, B) select A, B from S where B = '\${what}'`,
        variable('what'),
      ),
    },
    above: [
      `├─ S.A (no component of the project writes it), copied by ${script11}`,
      `└─ ${script11} chooses rows by S.B`,
    ],
    below: [`└─ T.A, copied by ${script11}`],
  },
  'a variable in the name of the source': {
    files: {
      'fill.orch.yaml': script('insert into T (A) select A from S_${what}', variable('what', '1')),
      'other.orch.yaml': script('create table S_1 (A number)'),
      'call.orch.yaml': steps([
        ['Call', 'run-orchestration', { orchestrationJob: 'fill', setScalarVariables: [['what', '2']] }],
      ]),
    },
    above: [`├─ ${ofName}: ${script11}`, `└─ ${ofSql}: ${script11}`, ...unnamed],
    below: [none, ...unnamed],
  },
  'a variable in the name of the target': {
    files: { 'fill.orch.yaml': script('create table T_${what} as select A from S', variable('what')) },
    above: [nothingWrites, ...unnamed],
    below: [`└─ ${ofName}: ${script11}`, ...unnamed],
  },
};

test.each(Object.entries(unknownCases))(
  'what is not known is shown: %s',
  async (_, { files, above, below }) => {
    const tables = script('create table S (A number, B varchar);\ncreate table T (A number, B varchar);');
    const columns = await columnsOf({ 'tables.orch.yaml': tables, ...files });
    const branches = (text: string) => text.split('\n').slice(1);
    expect(branches(shown(columns, 'T.A', { up: true, down: false }))).toEqual(above);
    expect(branches(shown(columns, 'S.A', { up: false, down: true }))).toEqual(below);
  },
);

describe('a name', () => {
  const files: Files = {
    'a.orch.yaml':
      script(`create table "Odd.Name" ("a b" number, A number); create table T (A number, B number);
      create schema OTHER; create table OTHER.T (A number);`),
  };
  const found: Readonly<Record<string, string>> = {
    'PUBLIC.T': 'TEST.PUBLIC.T',
    'other.t.a': 'TEST.OTHER.T.A',
    'TEST.PUBLIC.T.B': 'TEST.PUBLIC.T.B',
    '"Odd.Name"."a b"': 'TEST.PUBLIC.Odd.Name.a b',
    '"Odd.Name"': 'TEST.PUBLIC.Odd.Name',
  };
  const refused: Readonly<Record<string, string>> = {
    T: '"T" can be TEST.OTHER.T, TEST.PUBLIC.T.',
    't.a': '"t.a" can be TEST.OTHER.T.A, TEST.PUBLIC.T.A.',
    '"t"': 'No pipeline reads or writes a table "t". Did you mean "T"?',
    'PUBLIC.T.C':
      'The table TEST.PUBLIC.T has no known column "C". Did you mean "A"? Its known columns: A, B.',
    'OTHER.TT': 'No pipeline reads or writes a table "OTHER.TT". Did you mean "OTHER.T"?',
    '"lower case"': 'No pipeline reads or writes a table "lower case".',
    'a..b': '"a..b" is not the name of a table or of a column.',
    'a.b.c.d.e': '"a.b.c.d.e" is not the name of a table or of a column.',
  };

  test('is found, or is refused with the names that are meant', async () => {
    const columns = await columnsOf(files);
    for (const [name, expected] of Object.entries(found)) {
      const { table, column } = findColumn(columns, name);
      const parts = [table.database, table.schema, table.table, ...(column === undefined ? [] : [column])];
      expect.soft(parts.join('.'), name).toBe(expected);
    }
    for (const [name, message] of Object.entries(refused)) {
      let failure: unknown;
      try {
        findColumn(columns, name);
      } catch (error) {
        failure = error;
      }
      expect.soft(failure instanceof Failure && failure.message, name).toBe(message);
    }
  });
});
