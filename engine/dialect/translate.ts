import type { SourceText } from '../core/source-text.ts';
import type { DialectContext, Scope, TranslatedExpression, TranslatedQuery } from './dialect.ts';
import { cursorOver } from './parse/index.ts';
import { splitStatements, tokenize } from './tokenize.ts';
import { SqlError, Refusal } from '../core/refusal.ts';
import { writeExpression } from './write/expression.ts';
import { writeQuery } from './write/query.ts';
import { quoteName, type Typed } from './write/typed.ts';
import { NO_NAMES, type Session, type Visible, type Writing } from './write/writing.ts';

/** DuckDB's SQL would be longer than this: a defence against expressions that grow when they are rewritten. */
const LONGEST = 4_000_000;

/** One SELECT or WITH. */
export function translateQuery(source: SourceText, context: DialectContext): TranslatedQuery {
  const [part, more] = splitStatements(source, tokenize(source, context.warehouse));
  if (!part) throw new SqlError('the query is empty', { place: source.placeOf(0) });
  if (more) throw new Refusal('several statements in a query', source.placeOf(more.offset));
  const cursor = cursorOver(source, part.tokens, context.warehouse);
  const query = cursor.query();
  cursor.expectEnd();
  const session = createSession(source, context);
  const { sql, columns } = session.query(query, { session, names: NO_NAMES, commonTables: new Map() });
  return { sql, columns, reads: [...session.reads.values()] };
}

/** One expression over the columns of a scope. */
export function translateExpression(
  source: SourceText,
  scope: Scope,
  context: DialectContext,
): TranslatedExpression {
  const cursor = cursorOver(source, tokenize(source, context.warehouse), context.warehouse);
  const expression = cursor.expression();
  cursor.expectEnd();
  const session = createSession(source, context);
  const names = { ...NO_NAMES, relations: [...scope].map(([alias, relation]) => visible(alias, relation)) };
  const { sql, type } = session.expression(expression, { session, names, commonTables: new Map() });
  return { sql, type };
}

function visible(alias: string, relation: { sql: string; columns: TranslatedQuery['columns'] }): Visible {
  const prefix = relation.sql === '' ? '' : `${relation.sql}.`;
  const columns = new Map<string, Typed>(
    relation.columns.map((column) => [column.name, { sql: `${prefix}${quoteName(column.name)}`, type: column.type }]),
  );
  return { alias, columns, ignoresCase: true };
}

export function createSession(source: SourceText, context: DialectContext): Session {
  let count = 0;
  const guard = <Result extends { sql: string }>(result: Result, at: number): Result => {
    if (result.sql.length > LONGEST) throw new Refusal('an expression that grows too large', source.placeOf(at));
    return result;
  };
  return {
    context,
    source,
    reads: new Map(),
    fresh: (prefix) => `${prefix}${(count += 1)}_`,
    query: (query, writing: Writing) => guard(writeQuery(query, writing), query.at),
    expression: (expression, writing) => guard(writeExpression(expression, writing), expression.at),
  };
}
