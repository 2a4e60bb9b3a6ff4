import { Refusal, SqlError } from '../core/refusal.ts';
import { WarehouseStopped } from '../duckdb/warehouse.ts';
import { MockError } from '../orchestration/mock.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { PythonUnavailable, ScriptError } from '../python/python.ts';
import { failure, type Result, stopped } from './run.ts';

/** The result of a component that threw what a pipeline can cause; any other error is thrown again. */
export function failureOfError(error: unknown): Result {
  if (error instanceof WarehouseStopped) return stopped;
  if (error instanceof Refusal) {
    const { construct, place, hint, message } = error;
    return { ...failure(message), refusal: { construct, place, hint } };
  }
  if (error instanceof MockError) return { ...failure(error.message), mockFault: error.fault };
  if (
    error instanceof SqlError ||
    error instanceof ParameterError ||
    error instanceof ScriptError ||
    error instanceof PythonUnavailable
  )
    return failure(error.message);
  throw error;
}
