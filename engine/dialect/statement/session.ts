import { Refusal } from '../../core/refusal.ts';
import type { SourceText } from '../../core/source-text.ts';
import type { DialectContext } from '../../core/dialect.ts';
import { writeExpression } from '../write/expression.ts';
import { writeQuery } from '../write/query/query.ts';
import type { Session, Writing } from '../write/sql/writing.ts';

/** The maximum length of DuckDB's SQL: a defence against expressions that grow when they are rewritten. */
const MAX_SQL_LENGTH = 4_000_000;

export function createSession(source: SourceText, context: DialectContext): Session {
  let count = 0;
  const guard = <Result extends { sql: string }>(result: Result, at: number): Result => {
    if (result.sql.length > MAX_SQL_LENGTH)
      throw new Refusal(
        'an expression that becomes too large when it is translated',
        source.placeOf(at),
        'split it into several smaller expressions',
      );
    return result;
  };
  return {
    context,
    source,
    reads: new Map(),
    starred: new Set(),
    outerReads: [],
    isStored: context.isStored === true,
    fresh: (prefix) => `${prefix}${(count += 1)}_`,
    query: (query, writing: Writing) => guard(writeQuery(query, writing), query.at),
    expression: (expression, writing) => guard(writeExpression(expression, writing), expression.at),
  };
}
