import { openWarehouse, type Warehouse, WarehouseUnavailable } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { TestProject } from '../files/test-project.ts';

/** A statement that needs more fails. */
const memoryLimit = '1GB';

/** Opens an empty warehouse for tests. Throws Failure 'engine-missing' without the optional package. */
export async function openTestWarehouse(
  { kind }: Pick<TestProject, 'kind'>,
  packages?: string,
  open = openWarehouse,
): Promise<Warehouse> {
  try {
    return await open({ kind, memoryLimit, packages });
  } catch (error) {
    throw engineMissing(error);
  }
}

/** The failure that explains that embedded DuckDB cannot be loaded; any other error unchanged. */
export function engineMissing(error: unknown): unknown {
  return error instanceof WarehouseUnavailable
    ? new Failure('engine-missing', { message: `${error.message}.`, cause: error })
    : error;
}
