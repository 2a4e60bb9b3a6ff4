import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyPipeline, type TestFolder, testFolder } from './test-project.ts';

let folder: TestFolder;
beforeAll(() => {
  folder = testFolder({ 'copy.tran.yaml': copyPipeline });
});
afterAll(() => folder[Symbol.dispose]());

const columns = 'columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }';
const row = "{ id: 1, day: '2026-01-01', amount: 2, note: b }";

/** A test whose line 4 has the given tables, and whose line 5 has what it expects. */
const oneTest = (given: string, expected: string) =>
  `pipeline: copy\ntests:\n  - name: copies\n    given: ${given}\n    expect: ${expected}\n`;

describe('a mistake in a pipeline is named with what it may mean', () => {
  test.each([
    [
      'a type of a component',
      ['rewrite-table', 'rewrite-tabel'],
      'component "Write Orders": not supported: the component type rewrite-tabel; did you mean the type rewrite-table? Otherwise, mock the component:',
    ],
    [
      'a parameter',
      ['columnNames', 'columNames'],
      'component "Staged": not supported: the parameter columNames; did you mean columnNames?',
    ],
    [
      'a parameter that is close to none',
      ['columnNames', 'basicAdvancedMode'],
      /the parameter basicAdvancedMode; known parameters: .*targetTable/,
    ],
  ] as const)('%s', async (_, [before, after], message) => {
    folder.write('copy.tran.yaml', copyPipeline.replace(before, after));
    folder.write(
      'copy.test.yaml',
      oneTest(`{ staging_orders: { ${columns}, rows: [${row}] } }`, '{ ran: [Staged] }'),
    );
    const { stdout } = await folder.run();
    folder.write('copy.tran.yaml', copyPipeline);
    if (typeof message === 'string') expect(stdout).toContain(message);
    else expect(stdout).toMatch(message);
  });
});
