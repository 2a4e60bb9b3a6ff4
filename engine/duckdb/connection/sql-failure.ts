import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { homedir, tmpdir } from 'node:os';
import process from 'node:process';
import { REFUSAL, Refusal, SqlError, type SqlErrorCode } from '../../core/refusal.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { isKnown, reasonOf } from './reason.ts';
import { outOfMemory } from './statement-guard.ts';

/**
 * The message of a function of the engine if the texts that are built at the same time would need too much memory.
 */
export const TEXTS_TOO_LARGE = 'texts too large';

/**
 * Thrown if DuckDB could not write the database file. DuckDB then refuses all further statements until the file is
 * opened again.
 */
export class InvalidDatabase extends SqlError {}

/** DuckDB's report of an error: the sandbox asks for errors as JSON. */
interface Report {
  readonly exception_type?: string;
  readonly exception_message?: string;
  /** In bytes, from 0. */
  readonly position?: string;
}

export interface FailureContext {
  /** The statement that failed. Undefined if it is a statement of the engine itself. */
  readonly sql: string | undefined;
  readonly kind: WarehouseKind;
  readonly memoryLimit: string;
  /** Folders and files that no message may contain. */
  readonly hidden: readonly string[];
}

/**
 * Converts an error of DuckDB to an error with a position in the statement. Its message does not show paths of this
 * machine.
 */
export function sqlFailure(error: unknown, context: FailureContext): SqlError | Refusal {
  if (error instanceof SqlError || error instanceof Refusal) return error;
  // Values are read and written by functions that call themselves.
  if (error instanceof RangeError)
    return new SqlError(`${REFUSAL}a semi-structured value with this many levels of nesting`);
  const report = readReport(error);
  const { sql } = context;
  const unwritten = unwrittenFile(report);
  if (unwritten !== undefined)
    return new InvalidDatabase(
      withoutPlaces(unwritten, context.hidden),
      sql === undefined ? {} : { ran: sql },
    );
  const code = codeOf(report);
  if (sql === undefined) return new SqlError(describeReport(report, context), { code });
  return new SqlError(describeReport(report, context), { ran: sql, ranOffset: offsetOf(report, sql), code });
}

function codeOf({ exception_message: text = '' }: Report): SqlErrorCode | undefined {
  if (text.includes(' already exists!')) return 'exists';
  return /^(?:Schema|Sequence|Macro Function) with name .* does not exist!/s.test(text)
    ? 'missing-object'
    : undefined;
}

function readReport(error: unknown): Report {
  const message = messageOf(error);
  const start = message.indexOf('{"exception_type"');
  if (start < 0) return { exception_message: message };
  try {
    return JSON.parse(message.slice(start)) as Report;
  } catch {
    return { exception_message: message };
  }
}

function describeReport(report: Report, context: FailureContext): string {
  const { exception_type: type, exception_message: text = '' } = report;
  // A commit that lacks memory has another type.
  const lacksMemory = type === 'Out of Memory' || text.startsWith('Failed to commit: could not allocate');
  if (lacksMemory || text === TEXTS_TOO_LARGE) return outOfMemory(context.memoryLimit);
  if (type === 'Permission')
    return 'the statement is not allowed: SQL has no access to files, the network or extensions';
  if (text.startsWith('Max expression depth limit'))
    return `${REFUSAL}a statement with this many levels of nesting or this many parts; split it into several smaller statements`;
  if (text.startsWith('More than one row returned by a subquery'))
    return 'a subquery in an expression has more than one row';
  const tooLong = tooLongText(text);
  if (tooLong !== undefined) return tooLong;
  const reason = withoutPlaces(reasonOf(withoutStack(text), context.kind), context.hidden);
  return isLimit(report, context)
    ? `${REFUSAL}this statement; the engine could not run it: ${reason}`
    : reason;
}

/** The types of DuckDB's errors about a statement that it does not begin to run. */
const limits: ReadonlySet<string> = new Set(['Binder', 'Parser', 'Syntax', 'Not implemented', 'INTERNAL']);

/** Mistakes that the engine leaves to DuckDB to find. */
const mistakes =
  /must appear in the GROUP BY clause|^[A-Z ]+ clause cannot contain (?:aggregates|window functions)/;

/**
 * Whether an error is a limit of the engine. The engine finds mistakes in names, types and syntax itself, before DuckDB has
 * the statement: what DuckDB does not take then is in the SQL that the engine made, and the warehouse may run the
 * statement. The same holds for a mistake in SQL with a lambda, because DuckDB may take its parameter for a column, and for
 * a value beyond a range that only DuckDB has. All other errors are about values and objects, and are failures of the
 * warehouse.
 */
function isLimit(
  { exception_type: type = '', exception_message: text = '' }: Report,
  { sql = '', kind }: FailureContext,
): boolean {
  if (text.startsWith(REFUSAL)) return false;
  if (type === 'Out of Range' || type === 'Conversion') return !isKnown(text, kind);
  if (/^(?:Scalar|Aggregate|Table) Function with name /.test(text)) return true;
  return limits.has(type) && (!mistakes.test(text) || /\blambda\b/.test(sql));
}

/** Why DuckDB refuses the database from now on; undefined for another error. */
function unwrittenFile({ exception_type: type, exception_message: text = '' }: Report): string | undefined {
  if (type !== 'IO' || !text.includes('has been invalidated')) return undefined;
  const [, cause = ''] = /Original error: (.*)$/s.exec(text) ?? [];
  return `the database file could not be written: ${cause}; it is opened again for the next execution`;
}

/** The check that `columnDefinition` creates, in the words of the warehouse. */
function tooLongText(text: string): string | undefined {
  const check = /^CHECK constraint failed on table (.+) with expression CHECK\(\((.+) <= (\d+)\)\)$/s.exec(
    text,
  );
  const [, table, measured, length] = check ?? [];
  const [, column] =
    /^(?:length\((.+)\)|octet_length\(encode\((.+)\)\))$/s.exec(measured ?? '')?.filter(Boolean) ?? [];
  if (column === undefined) return undefined;
  return `a text is longer than VARCHAR(${length}) allows: column ${column} of the table ${table}`;
}

/** An internal error of DuckDB lists its functions and libraries. */
function withoutStack(text: string): string {
  return text.replace(/\n(?:This error signals|\n?Stack Trace)[^]*/, '');
}

function withoutPlaces(text: string, hidden: readonly string[]): string {
  const places = [...hidden, process.cwd(), homedir(), tmpdir()].filter((place) => place.length > 1);
  return places
    .toSorted((a, b) => b.length - a.length)
    .reduce((result, place) => result.replaceAll(place, '…'), text);
}

function offsetOf({ position }: Report, sql: string): number | undefined {
  if (position === undefined || !/^\d+$/.test(position)) return undefined;
  return Buffer.from(sql).subarray(0, Number(position)).toString().length;
}
