import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from './test-project.ts';

const root = path.join(import.meta.dirname, '../../../examples/warehouse');

/** The example project in a folder of its own. */
function example() {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => {
    const full = path.join(entry.parentPath, entry.name);
    return [path.relative(root, full), readFileSync(full, 'utf8')] as const;
  });
  return testFolder(Object.fromEntries(files));
}

test('the tests of the example project pass, and reach each of its pipelines', async () => {
  using folder = example();
  const { passed, failed, refused, tests } = await folder.report();
  expect({ passed, failed, refused }).toEqual({ passed: 37, failed: 0, refused: 0 });
  expect(new Set(tests.map(({ pipeline }) => pipeline)).size).toBe(13);
});

test('a change detection with its inputs swapped is found by its test, as the README says', async () => {
  using folder = example();
  const file = 'daily/changed-customers.tran.yaml';
  folder.write(
    file,
    folder.read(file).replace('masterTable: "Known Customers"', 'masterTable: "Staged Customers"'),
  );
  const ended = await folder.run('daily/changed-customers.test.yaml');
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain('table "CUSTOMERS_TO_LOAD": 1 row differs, 1 expected row is not in it');
  const readme = readFileSync(path.join(root, '../../README.md'), 'utf8');
  for (const line of ended.stdout.split('\n').filter((each) => each.includes('|')))
    expect(readme).toContain(line.trimEnd());
});
