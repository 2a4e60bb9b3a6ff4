import { lowerAscii } from '../../../core/ascii-case.ts';
import { Refusal, SqlError, type SqlErrorCode } from '../../../core/refusal.ts';
import type { Table } from '../../../core/relation.ts';
import type { SourceText } from '../../../core/source-text.ts';
import type { DialectContext, NamedRelation, TranslatedQuery } from '../../../core/dialect.ts';
import type { Expression, Name, Query } from '../../parse/tree.ts';
import type { Typed } from './typed.ts';

/** A relation that columns may name. */
export interface Visible {
  /** Folded. */
  readonly alias: string;
  /** Database and schema of a table without an alias. */
  readonly path?: readonly string[];
  readonly columns: ReadonlyMap<string, Typed>;
  /** Columns that a table function has in the warehouse, but not here. */
  readonly refused?: { readonly by: string; readonly columns: readonly string[] };
  /** DuckDB's SQL of the number of a row that GENERATOR makes, from 0. */
  readonly counter?: string;
  /** Its rows are from a query or from VALUES, not from a table. */
  readonly isDerived?: true;
  /** The table or view whose rows these are, as DuckDB's SQL names it. */
  readonly table?: string;
  /** The alias comes from a component: compare it without case too. */
  readonly ignoresCase?: true;
}

/** What names in one SELECT may mean. */
export interface Names {
  readonly relations: readonly Visible[];
  /** Columns that USING made one of two. */
  readonly merged: ReadonlyMap<string, Typed>;
  /** Aliases of the SELECT list, for what follows it. */
  readonly aliases: ReadonlyMap<string, Expression>;
  readonly outer: Names | undefined;
  /** Its names are values of the pipeline, not columns of a query around this one. */
  readonly isConstant?: true;
}

/** A column of an outer query that a subquery names. */
export interface OuterRead {
  readonly scope: Names;
  readonly at: number;
}

/** The state of one translation. */
export interface Session {
  readonly context: DialectContext;
  readonly source: SourceText;
  readonly reads: Map<string, Table>;
  /** The tables of `reads` whose columns a `*` means. */
  readonly starred: Set<string>;
  /** In the order in which they were written. */
  readonly outerReads: OuterRead[];
  /** The SQL is stored and evaluated later, as a view is: the clock's time must not be written into it. */
  readonly isStored: boolean;
  /** A name that nothing else has. */
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

/** A name as the warehouse stores it. */
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

/** The name of the column, for messages about a value, if the value is a column. */
export function columnText(value: Expression, writing: Writing): string {
  const name = value.kind === 'column' ? value.parts.at(-1) : undefined;
  return name === undefined ? '' : `: the column "${fold(name, writing)}"`;
}
