import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeCommits } from '../../../tools/corpus/history.ts';
import { openHistory } from '../../../tools/corpus/replay-commit.ts';

const copy = (from: string, to: string, more = '') => `pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: ${from}, columnNames: [A] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: ${to} } }
${more}`;
const caller = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call] } }
    Call: { type: run-transformation, parameters: { transformationJob: a } }
`;
const files = new Map([
  ['a.tran.yaml', copy('RAW', 'SALES')],
  ['b.tran.yaml', copy('SALES', 'REPORT')],
  ['c.tran.yaml', copy('OTHER', 'COSTS')],
  ['call.orch.yaml', caller],
]);

test.each([
  [
    'moved boxes',
    'a.tran.yaml',
    copy('RAW', 'SALES', 'design: { components: { Read: { position: { x: 5 } } } }\n'),
    { kind: 'form', affected: 0 },
  ],
  ['another source', 'a.tran.yaml', copy('NEW', 'SALES'), { kind: 'meaning', affected: 2 }],
  ['a file that no pipeline uses', 'notes.sql', 'select 1', { kind: 'untouched', affected: 0 }],
])('%s: the replay of a commit finds the same set as the product', async (_, file, text, expected) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-replay-'));
  try {
    const source = path.join(folder, 'source');
    const commit = writeCommits(source, files, new Map([...files, [file, text]]));
    const history = openHistory(source, path.join(folder, 'replay'));
    expect(await history.replay(commit)).toMatchObject({ ...expected, difference: undefined });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
