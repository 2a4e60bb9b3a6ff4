import { lowerAscii } from '../../../core/ascii-case.ts';
import { Refusal, SqlError, type SqlErrorCode } from '../../../core/refusal.ts';
import type { Table } from '../../../core/relation.ts';
import type { SourceText } from '../../../core/source-text.ts';
import type { DialectContext, NamedRelation, TranslatedQuery } from '../../../core/dialect.ts';
import type { Expression, Name, Query } from '../../parse/tree.ts';
import type { Typed } from './typed.ts';

/** A relation that the names of columns can refer to. */
export interface Visible {
  /** The alias, in the case in which the warehouse stores it. */
  readonly alias: string;
  /** The database and the schema of a table that has no alias. */
  readonly path?: readonly string[];
  readonly columns: ReadonlyMap<string, Typed>;
  /** Columns that a table function has in the warehouse, but not in the engine. */
  readonly refused?: { readonly by: string; readonly columns: readonly string[] };
  /** DuckDB's SQL for the number of the row, if GENERATOR makes the rows. The first number is 0. */
  readonly counter?: string;
  /** True if the rows come from a subquery or from VALUES, and not from a table. */
  readonly isDerived?: true;
  /** The table or view whose rows these are, by its name in DuckDB's SQL. */
  readonly table?: string;
  /** True if the alias comes from a component. It is then also found if the case differs. */
  readonly ignoresCase?: true;
}

/** The relations and aliases that names in one SELECT can refer to. */
export interface Names {
  readonly relations: readonly Visible[];
  /** Columns that USING merged from two tables into one. */
  readonly merged: ReadonlyMap<string, Typed>;
  /** Aliases of the SELECT list, for the clauses after the list. */
  readonly aliases: ReadonlyMap<string, Expression>;
  readonly outer: Names | undefined;
  /** True if the names are values of the pipeline, not columns of an outer query. */
  readonly isConstant?: true;
}

/** A column of an outer query that a subquery refers to. */
export interface OuterRead {
  readonly scope: Names;
  readonly at: number;
}

/** The state of one translation. */
export interface Session {
  readonly context: DialectContext;
  readonly source: SourceText;
  readonly reads: Map<string, Table>;
  /** The tables in `reads` that are read with `*`. */
  readonly starred: Set<string>;
  /** The columns of outer queries that subqueries refer to, in the order of their translation. */
  readonly outerReads: OuterRead[];
  /**
   * True if the SQL is stored and evaluated later, as in a view. It must then contain calls of clock functions, not
   * the current time.
   */
  readonly isStored: boolean;
  /** Returns a name that is not used for anything else. */
  fresh(prefix: string): string;
  query(query: Query, writing: Writing): TranslatedQuery;
  expression(expression: Expression, writing: Writing): Typed;
}

export interface Writing {
  readonly session: Session;
  readonly names: Names;
  readonly commonTables: ReadonlyMap<string, NamedRelation>;
}

export const NO_NAMES: Names = {
  relations: [],
  merged: new Map(),
  aliases: new Map(),
  outer: undefined,
};

export function write(expression: Expression, writing: Writing): Typed {
  return writing.session.expression(expression, writing);
}

export function isOne(writing: Writing): boolean {
  return writing.session.context.warehouse === 'WAREHOUSE_ONE';
}

/** Converts a name to the case in which the warehouse stores it. */
export function fold(name: Name, writing: Writing): string {
  if (!isOne(writing)) return lowerAscii(name.text);
  return name.isQuoted ? name.text : name.text.toUpperCase();
}

export function refusal(construct: string, at: number, writing: Writing, hint?: string): Refusal {
  return new Refusal(construct, writing.session.source.placeOf(at), hint);
}

export function sqlError(message: string, at: number, writing: Writing, code?: SqlErrorCode): SqlError {
  return new SqlError(message, { place: writing.session.source.placeOf(at), code });
}

/** The text `: the column "NAME"` if the value is a column, for messages about the value. Otherwise empty. */
export function columnText(value: Expression, writing: Writing): string {
  const name = value.kind === 'column' ? value.parts.at(-1) : undefined;
  return name === undefined ? '' : `: the column "${fold(name, writing)}"`;
}
