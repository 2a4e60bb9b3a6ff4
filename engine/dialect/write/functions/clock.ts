import { CLOCK_SQL } from '../../../duckdb/connection/clock.ts';
import type { SqlType } from '../../../core/sql-type.ts';
import { duckType, LOCAL_MOMENT, TIMESTAMP, type Typed } from '../sql/typed.ts';
import { isOne } from '../sql/writing.ts';
import type { FunctionRule, TypedCall } from './rule.ts';

const zoned: SqlType = { name: 'TIMESTAMP_TZ' };

/** Translates `GETDATE`. In `WAREHOUSE_TWO`, its result has no fractions of a second. */
export function getdate(call: TypedCall): Typed | undefined {
  const now = clock(zoned, undefined, TIMESTAMP).write?.(call);
  return now && !isOne(call.writing) ? { ...now, sql: `date_trunc('second', ${now.sql})` } : now;
}

/**
 * Translates a function that returns the current time. The time is a literal, unless the SQL is stored in a view or a
 * default: then the clock is read whenever the view or the default is evaluated.
 */
export function clock(type: SqlType, only?: FunctionRule['only'], typeOfTwo: SqlType = type): FunctionRule {
  return {
    arguments: [0, 1],
    ...(only && { only }),
    write: (call) => {
      if (call.values.length > 0) return undefined;
      const isZonedOfOne = isOne(call.writing) && type.name === 'TIMESTAMP_TZ';
      const resultType = isZonedOfOne ? LOCAL_MOMENT : isOne(call.writing) ? type : typeOfTwo;
      if (call.writing.session.isStored)
        return { sql: `CAST(${CLOCK_SQL} AS ${duckType(resultType)})`, type: resultType };
      const text = new Date(call.writing.session.context.now).toISOString();
      if (resultType.name === 'DATE') return { sql: `DATE '${text.slice(0, 10)}'`, type: resultType };
      const moment = `${text.slice(0, 10)} ${text.slice(11, 23)}`;
      if (resultType.name === 'TIMESTAMP_TZ')
        return { sql: `CAST('${moment}+00' AS TIMESTAMPTZ)`, type: resultType };
      return { sql: `CAST('${moment}' AS TIMESTAMP)`, type: resultType };
    },
  };
}
