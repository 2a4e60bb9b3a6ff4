import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { isFound } from '../../../tools/mutation/is-found.ts';
import { plantFaults } from '../../../tools/mutation/plant-faults.ts';

const project = openTestProject(
  path.resolve(import.meta.dirname, '../../../examples/warehouse'),
  'WAREHOUSE_ONE',
);
const file = 'shared/convert ledger.tran.yaml';

test('the tests of the example find a planted fault, and nothing in the project as it is', async () => {
  const text = project.text(file) ?? '';
  expect(await isFound({ file, text }, project)).toBe(false);
  const [fault] = plantFaults(file, text);
  expect(fault && (await isFound(fault, project))).toBe(true);
});
