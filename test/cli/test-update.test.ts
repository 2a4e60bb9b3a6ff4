import { expect, test } from 'vitest';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

/** A test whose expectations about rows, counts and variables are wrong, with all that must stay as it is. */
const before = `# Orders
pipeline: daily/load   # the loader
tests:
  - name: "loads"
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows:
          - { id: 1, amount: 10.5, note: 'a: b' }
          - { id: 2, day: 2026-01-02, amount: 3 }
    mock: { Load Files: {} }
    expect:
      tables:
        orders:
          count:   3   # wrong
          rows:
            - { id: 1,   amount: 10.50 }
            - { id: 2, amount: 4 }
            - { id: 9, amount: 9 }   # gone
      variables: { rows_loaded: 7, day: '2026-01-01' }
      ran: [Done]
  - name: other
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: [{ id: 1, note: x }] } }
    mock: { Load Files: {} }
    expect: { tables: { orders: { rows: [{ day: null, note: y }] } } }
`;

const after = before
  .replace('count:   3 ', 'count:   2 ')
  .replace('- { id: 2, amount: 4 }\n            - { id: 9, amount: 9 }', '- { id: 2, amount: 3 }')
  .replace('rows_loaded: 7', 'rows_loaded: 2')
  .replace('[{ day: null, note: y }]', '[{ day: null, note: x }]');

function project(text: string) {
  return testFolder({
    'daily/build-orders.tran.yaml': copyPipeline,
    'daily/load.orch.yaml': loadPipeline,
    'daily/load.test.yaml': text,
  });
}

test.each([
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
])('--update writes what was found, shows the diff, and keeps the rest, with %s', async (_, ends) => {
  using folder = project(ends(before));
  const dry = await folder.run('--update', '--dry-run');
  expect(dry.code).toBe(1);
  expect(folder.read('daily/load.test.yaml')).toBe(ends(before));
  const { code, stdout } = await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(ends(after));
  expect(code).toBe(0);
  expect(stdout).toContain('--- a/daily/load.test.yaml\n+++ b/daily/load.test.yaml\n');
  expect(stdout).toContain('-          count:   3   # wrong');
  expect(stdout).toContain('2 tests: 2 passed, 0 failed, 0 refused.');
});

test('--update does not change the expectations of a pipeline that fails', async () => {
  const text = before.replace('Load Files: {}', 'Load Files: { outcome: failure }, Notify Failure: {}');
  using folder = project(text);
  expect((await folder.run('--update', '--filter', 'loads')).code).toBe(1);
  expect(folder.read('daily/load.test.yaml')).toBe(text);
});

test('--update writes all columns where no row was expected, and no row where none is left', async () => {
  const one = (rows: string) => `pipeline: daily/build-orders
tests:
  - name: copies
    given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: ${rows} } }
    expect:
      tables:
        orders:
          rows:`;
  using folder = project(`${one('[{ id: 1 }]')} []\n`);
  await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toContain(
    'rows: [{ id: 1, day: null, amount: null, note: null }]\n',
  );
  folder.write('daily/load.test.yaml', `${one('[]')}\n            - { id: 1 }\n            - { id: 2 }\n`);
  await folder.run('--update');
  expect(folder.read('daily/load.test.yaml')).toBe(`${one('[]')}\n            []\n`);
});
