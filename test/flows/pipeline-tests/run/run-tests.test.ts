import { expect, test } from 'vitest';
import { WarehouseUnavailable } from '../../../../engine/index.ts';
import { openTestWarehouse } from '../../../../flows/pipeline-tests/run/open-test-warehouse.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';

test('without the optional package, the failure says how to install it and ends with 2', async () => {
  const project = openTestProject(import.meta.dirname, 'WAREHOUSE_ONE');
  const unavailable = () => Promise.reject(new WarehouseUnavailable('Install it with: npm install engine'));
  await expect(openTestWarehouse(project, undefined, unavailable)).rejects.toMatchObject({
    code: 'engine-missing',
    exitCode: 2,
    message: 'Install it with: npm install engine.',
  });
});
