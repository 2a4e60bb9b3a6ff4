import { REFUSAL, Refusal, SqlError } from '../../core/refusal.ts';
import { WarehouseStopped } from '../../duckdb/connection/warehouse.ts';
import { MockError } from '../../orchestration/mocks/mock.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { PythonUnavailable, ScriptError } from '../../python/python.ts';
import type { FailedSql, RefusedConstruct } from './execution-state.ts';
import { failure, type Result, stopped } from './run.ts';
import { sqlDetails, stepSql } from './step-sql.ts';

/** Converts an error to the failure of a component. Rethrows an error that is not caused by the pipeline. */
export function failureOfError(error: unknown): Result {
  if (error instanceof WarehouseStopped) return stopped;
  if (error instanceof Refusal) {
    const { construct, place, hint, message } = error;
    return { ...failure(message), place, ...failedSql(error), refusal: { construct, place, hint } };
  }
  if (error instanceof MockError) return { ...failure(error.message), mockFault: error.fault };
  if (error instanceof SqlError) {
    const result = { ...failure(error.message), place: error.place, ...failedSql(error) };
    return { ...result, refusal: refusalOfValue(error) };
  }
  if (error instanceof ParameterError) return { ...failure(error.message), place: error.place };
  if (error instanceof ScriptError || error instanceof PythonUnavailable) return failure(error.message);
  throw error;
}

/** The refusal of a value that the engine sees only while a statement runs. The warehouse may accept the value. */
function refusalOfValue({ message, place }: SqlError): RefusedConstruct | undefined {
  const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
  if (!message.startsWith(`${where}${REFUSAL}`)) return undefined;
  const [construct = '', ...hints] = message.slice(`${where}${REFUSAL}`.length).split(/(?:; )(?=[^;]*$)/);
  return { construct, place, hint: hints[0] };
}

/** The SQL of a failure. A step shows it, and cuts it if it is long. */
function failedSql({
  sql,
  ran,
}: {
  readonly sql: string | undefined;
  readonly ran?: string | undefined;
}): Pick<Result, 'sql' | 'details'> {
  if (sql === undefined && ran === undefined) return {};
  const [written] = sql === undefined ? [] : stepSql([sql]);
  const details = ran === undefined ? {} : sqlDetails([ran]);
  const shown: FailedSql = { written, ran: details.sql?.[0] };
  return { sql: shown, details: { written, ...details } };
}
