import { Refusal, SqlError, withSql } from '../core/refusal.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { SourceText } from '../core/source-text.ts';
import type {
  DialectContext,
  NamedRelation,
  Scope,
  TranslatedExpression,
  TranslatedQuery,
  TranslatedStatement,
} from '../core/dialect.ts';
import { cursorOver } from './parse/index.ts';
import { defaultSql } from './statement/column-definition.ts';
import { createSession } from './statement/session.ts';
import { writeStatement } from './statement/index.ts';
import { statementUses, type StatementUses } from './statement/statement-uses.ts';
import { splitStatements, tokenize, tokenizeLoosely } from './parse/tokenize.ts';
import type { Join } from './parse/tree.ts';
import { expectBoolean } from './write/casts/convert.ts';
import { NotedColumns } from './write/query/noted-columns.ts';
import { conditionText } from './write/query/join-condition.ts';
import { quoteName, type Typed } from './write/sql/typed.ts';
import { type Names, NO_NAMES, type Visible, type Writing } from './write/sql/writing.ts';

/**
 * Runs a part of a translation. Levels of nesting and operators in a row are limited, but not their product: a tree
 * that is deeper than the stack is refused. Errors get the SQL as written.
 */
function withinStack<Result>(source: SourceText, work: () => Result, written = source.text): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw withSql(error, written);
    throw new Refusal(
      'SQL that is nested too deep',
      source.placeOf(0),
      'split it into several smaller queries or statements',
    );
  }
}

/** Translates a query, which begins with SELECT or WITH. */
export function translateQuery(source: SourceText, context: DialectContext): TranslatedQuery {
  return withinStack(source, () => readQuery(source, context));
}

function readQuery(source: SourceText, context: DialectContext): TranslatedQuery {
  const [part, more] = splitStatements(source, tokenize(source, context.warehouse));
  if (!part) throw new SqlError('the query is empty', { place: source.placeOf(0) });
  if (more)
    throw new Refusal('several statements in a query', source.placeOf(more.offset), 'write one SELECT');
  const cursor = cursorOver(source, part.tokens, context.warehouse);
  const query = cursor.query();
  cursor.expectEnd();
  const session = createSession(source, context);
  const { sql, columns } = session.query(query, { session, names: NO_NAMES, commonTables: new Map() });
  return { sql, columns, reads: [...session.reads.values()] };
}

/**
 * Translates an expression that uses the columns of a scope. A name that is not a column may be the name of one of
 * `values`, whose SQL is inserted unchanged.
 */
export function translateExpression(
  source: SourceText,
  scope: Scope,
  context: DialectContext,
  values: ReadonlyMap<string, TranslatedExpression> = new Map(),
): TranslatedExpression {
  const { value } = withinStack(source, () => readExpression(source, scope, context, values));
  return { sql: value.sql, type: value.type };
}

/**
 * Translates the default value of a column, which is computed for each new row. Throws SqlError if its type is not
 * the column's type.
 */
export function translateDefault(source: SourceText, type: SqlType, context: DialectContext): string {
  return withinStack(source, () => {
    const stored = { ...context, isStored: true };
    const { value, at, writing } = readExpression(source, new Map(), stored, new Map());
    return defaultSql(value, type, at, writing);
  });
}

/** Translates an expression in a place where the warehouse expects a condition. */
export function translateCondition(source: SourceText, scope: Scope, context: DialectContext): string {
  return withinStack(source, () => {
    const { value, at, writing } = readExpression(source, scope, context, new Map());
    return expectBoolean(value, at, writing).sql;
  });
}

/** Translates the condition of a join between two scopes. */
export function translateJoin(
  how: Join['how'],
  source: SourceText,
  [left, right]: readonly [Scope, Scope],
  context: DialectContext,
): string {
  return withinStack(source, () => {
    const cursor = cursorOver(source, tokenize(source, context.warehouse), context.warehouse);
    const on = cursor.expression();
    cursor.expectEnd();
    const outer: Names = { ...NO_NAMES, isConstant: true };
    const names = { ...NO_NAMES, outer };
    const writing: Writing = { session: createSession(source, context), names, commonTables: new Map() };
    return conditionText({ how }, on, sideOf(left, context), sideOf(right, context), writing);
  });
}

function sideOf(scope: Scope, context: DialectContext): Pick<Names, 'relations' | 'merged'> {
  const relations = [...scope].map(([alias, relation]) => visible(alias, relation, context));
  return { relations, merged: new Map() };
}

function readExpression(
  source: SourceText,
  scope: Scope,
  context: DialectContext,
  values: ReadonlyMap<string, TranslatedExpression>,
): { readonly value: Typed; readonly at: number; readonly writing: Writing } {
  const cursor = cursorOver(source, tokenize(source, context.warehouse), context.warehouse);
  const expression = cursor.expression();
  cursor.expectEnd();
  const session = createSession(source, context);
  const names: Names = {
    ...NO_NAMES,
    relations: [...scope].map(([alias, relation]) => visible(alias, relation, context)),
    outer: { ...NO_NAMES, relations: [{ alias: '', columns: values }], isConstant: true },
  };
  const writing: Writing = { session, names, commonTables: new Map() };
  return { value: session.expression(expression, writing), at: expression.at, writing };
}

function visible(alias: string, relation: NamedRelation, { noteColumn }: DialectContext): Visible {
  const prefix = relation.sql === '' ? '' : `${relation.sql}.`;
  const columns = new Map<string, Typed>(
    relation.columns.map((column) => [
      column.name,
      { sql: `${prefix}${quoteName(column.name)}`, type: column.type },
    ]),
  );
  const { table } = relation;
  if (table === undefined || noteColumn === undefined) return { alias, columns, ignoresCase: true };
  const noted = new NotedColumns(columns, (name) => noteColumn(table, name));
  return { alias, columns: noted, ignoresCase: true };
}

/** A statement of a script, before its translation. */
export interface ScriptStatement {
  /** The offset in the text of the script at which the statement begins. */
  readonly offset: number;
  readonly text: string;
  /**
   * Translates the statement. `defaults` are the default database and schema after the USE statements before it.
   * There are two results if the statement changes both data and the defaults.
   */
  translate(defaults: DialectContext['defaults']): readonly TranslatedStatement[];
  /** Returns what the statement does with tables, as far as its text shows. */
  uses(defaults: DialectContext['defaults']): StatementUses;
}

/** Splits a script into statements. Throws SqlError if the text cannot be split. */
export function splitScript(source: SourceText, context: DialectContext): readonly ScriptStatement[] {
  const parts = withinStack(source, () => splitStatements(source, tokenize(source, context.warehouse)));
  return parts.map((part) => {
    const open = (defaults: DialectContext['defaults']) =>
      [
        cursorOver(source, part.tokens, context.warehouse),
        createSession(source, { ...context, defaults }),
      ] as const;
    return {
      offset: part.offset,
      text: part.text,
      translate: (defaults) => withinStack(source, () => writeStatement(...open(defaults), part), part.text),
      uses(defaults) {
        const [cursor, session] = open(defaults);
        return withinStack(source, () => statementUses(cursor, part.tokens, session), part.text);
      },
    };
  });
}

/** What a statement does with tables. The statement may contain characters that the dialect does not know. */
export function usesOfStatement(source: SourceText, context: DialectContext): StatementUses {
  const tokens = tokenizeLoosely(source, context.warehouse);
  const cursor = cursorOver(source, tokens, context.warehouse);
  return withinStack(source, () => statementUses(cursor, tokens, createSession(source, context)));
}

/** The default database and schema after a statement. */
export function defaultsAfter(
  statement: TranslatedStatement,
  before: DialectContext['defaults'],
): DialectContext['defaults'] {
  if (statement.kind !== 'defaults') return before;
  const { database = before.database, schema = before.schema } = statement;
  return { database, schema };
}

/**
 * Translates the statements of a script one at a time, when they are requested, because an earlier statement may
 * change the catalog. A USE applies to the rest of the script.
 */
export function* translateScript(
  source: SourceText,
  context: DialectContext,
): Generator<TranslatedStatement, void, void> {
  let { defaults } = context;
  for (const part of splitScript(source, context)) {
    for (const statement of part.translate(defaults)) {
      yield statement;
      defaults = defaultsAfter(statement, defaults);
    }
  }
}
