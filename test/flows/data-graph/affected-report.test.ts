import { expect, test } from 'vitest';
import type { AffectedReport } from '../../../flows/data-graph/affected/affected.ts';
import type { ChangedColumn } from '../../../flows/snapshot/difference/changed-columns.ts';
import { affectedMermaid } from '../../../flows/data-graph/affected/mermaid.ts';
import {
  affectedReportSchema,
  reportOfAffected,
} from '../../../flows/data-graph/affected/report-affected.ts';

const table = (name: string) => ({ database: 'TEST', schema: 'PUBLIC', table: name });
const at = (file: string, line: number) => ({ pipeline: file, file, line });
const column = (
  name: string,
  change: ChangedColumn['change'],
  readers: ChangedColumn['readers'] = [],
): ChangedColumn => ({
  table: table('A'),
  column: change === 'dropped' ? undefined : name,
  change,
  before: change === 'retyped' ? 'NUMBER' : undefined,
  after: { retyped: 'DATE', added: 'VARCHAR', renamed: 'TITLE', removed: undefined, dropped: undefined }[
    change
  ],
  writers: [at('a.tran.yaml', 4)],
  readers,
});

const many = Array.from({ length: 12 }, (_, index) => ({
  ...at(`r${index}.tran.yaml`, index + 1),
  reads: 'column' as const,
}));
const report: AffectedReport = {
  changed: [
    { pipeline: 'a.tran.yaml', line: 4, what: 'changed at line 4' },
    { pipeline: 'gone.orch.yaml', line: undefined, what: 'is deleted' },
  ],
  affected: [
    { pipeline: 'b"]; x.orch.yaml', line: 7, because: ['b reads A, which a writes', 'a changed at line 4'] },
    { pipeline: 'c.orch.yaml', line: 9, because: ['c calls a', 'a changed at line 4'] },
  ],
  entryPoints: ['b"]; x.orch.yaml', 'c.orch.yaml'],
  tests: [{ test: 'a.test.yaml', because: ['it tests a', 'a changed at line 4'] }],
  columns: [
    column('NEW', 'added'),
    column('OLD', 'removed'),
    column('DAY', 'retyped', [{ ...at('b.tran.yaml', 7), reads: 'all' }]),
    column('NAME', 'renamed', [
      { ...at('b.tran.yaml', 7), reads: 'column' },
      { ...at('c.orch.yaml', 9), reads: 'unknown' },
    ]),
    column('ID', 'removed', many),
    column('', 'dropped'),
  ],
  unknownColumns: [{ table: table('Z'), writers: [at('b.tran.yaml', 12)] }],
  edges: [
    { from: 'a.tran.yaml', to: 'b"]; x.orch.yaml', line: 7, table: 'A|B', isSure: false },
    { from: 'a.tran.yaml', to: 'c.orch.yaml', line: 9, table: undefined, isSure: true },
  ],
  notFollowed: ['c.orch.yaml'],
  unreadable: [],
};

test('changed columns with readers are first; long lists are cut, with counts', () => {
  const {
    tables = [],
    notes,
    headline,
    isNews,
  } = reportOfAffected(report, 'main', { prefix: 'etl/', maxRows: 5 });
  expect(headline).toBe(
    '2 pipelines changed, 2 more affected; 2 entry points and 1 test file to run. 3 changed columns have 14 readers.',
  );
  expect(isNews).toBe(true);
  expect(tables[0]?.rows).toEqual([
    [
      'A.ID',
      'removed',
      'etl/a.tran.yaml:4',
      `${many
        .slice(0, 10)
        .map(({ file, line }) => `etl/${file}:${line}`)
        .join(', ')} and 2 more`,
    ],
    [
      'A.NAME',
      'renamed to TITLE',
      'etl/a.tran.yaml:4',
      'etl/b.tran.yaml:7, etl/c.orch.yaml:9 (possibly: cannot be analysed completely)',
    ],
    ['A.DAY', 'DATE instead of NUMBER', 'etl/a.tran.yaml:4', 'etl/b.tran.yaml:7 (all columns)'],
    ['A', 'no longer created', 'etl/a.tran.yaml:4', 'nothing'],
    ['A.OLD', 'removed', 'etl/a.tran.yaml:4', 'nothing'],
  ]);
  expect(notes).toEqual([
    'The readers of changed columns are not listed for Z (etl/b.tran.yaml:12), because the columns of this table are not all known. The pipelines that read the table are among the affected pipelines.',
    '1 pipeline may be affected, and writes tables whose names are known only at run time. The readers of these tables are not listed: etl/c.orch.yaml.',
    'Changed columns and their readers: 1 more.',
  ]);
  expect(affectedReportSchema.parse(report)).toEqual(report);
});

test('columns that nothing reads make no new comment', () => {
  const { isNews, headline } = reportOfAffected(
    { ...report, columns: [column('OLD', 'removed'), column('NEW', 'added', many)] },
    'main',
  );
  expect([isNews, headline]).toEqual([
    false,
    '2 pipelines changed, 2 more affected; 2 entry points and 1 test file to run.',
  ]);
});

test('the drawing has the changed and affected pipelines, and no name can add anything to it', () => {
  expect(affectedMermaid(report).split('\n')).toEqual([
    'flowchart LR',
    '  n0[/"a"/]',
    '  n1["gone"]',
    '  n2(["b#34;#93;#59; x"])',
    '  n3(["c"])',
    '  n0 -.->|"A#124;B"| n2',
    '  n0 --> n3',
    '  classDef changed stroke:#9a6700,stroke-width:3px',
    '  class n0 changed',
    '  classDef deleted stroke:#d1242f,stroke-dasharray:4 3',
    '  class n1 deleted',
    '',
  ]);
});

test('a pipeline that cannot be read fails the report, at its place', () => {
  const place = { pipeline: 'x.orch.yaml', file: 'x.orch.yaml', line: 3, column: 5 };
  const message = 'this pipeline cannot be read, so its tables and calls are not known: …';
  const { outcome, headline, findings } = reportOfAffected(
    { ...report, unreadable: [{ ...place, message }] },
    'main',
    {
      prefix: 'p/',
    },
  );
  expect(outcome).toBe('failed');
  expect(headline).toMatch(/1 pipeline could not be read: more may be affected\.$/);
  expect(findings).toMatchObject([{ file: 'p/x.orch.yaml', line: 3, column: 5, severity: 'error', message }]);
  expect(reportOfAffected(report, 'main').outcome).toBe('passed');
});
