import { Failure } from '../../lib/core/errors/failure.ts';
import { terminalLine } from '../terminal/output.ts';
import { writeThrough } from '../terminal/write-through.ts';
import type { Session } from '../kit/session.ts';

/** One row of a watched list, such as a lane. */
export interface WatchedRow {
  readonly id: string;
  /** When it happened, in ISO 8601. Default: when it was seen. */
  readonly at?: string;
  /** The row for the terminal. It is printed again when a cell has changed. */
  readonly cells: readonly string[];
  /** The same as JSON. */
  readonly value: object;
}

/** One answer of the worker, as rows. */
export interface WatchedRows {
  readonly rows: readonly WatchedRow[];
  /** Lines about all of them. Each is printed once, until it has been absent. */
  readonly notes?: readonly string[];
  /** Nothing will change any more. */
  readonly isOver?: boolean;
}

interface RowWatch {
  /** Names of the columns; the last one takes the rest of the line. */
  readonly heads: readonly string[];
  readonly everyMs: number;
  readonly json: boolean;
  /** Describes a row that a later answer lacks, as cells and as JSON. Default: such a row is not mentioned. */
  readonly gone?: (row: WatchedRow) => Pick<WatchedRow, 'cells' | 'value'>;
  readonly read: () => Promise<WatchedRows>;
}

/**
 * Prints all rows, then each row that changes, with the time, until Ctrl-C or the end of what is watched. With
 * `json`, each row is a line of JSON. If the worker does not answer for a while, asks again. Throws what the first
 * request throws; later requests throw everything but 'unreachable'.
 */
export async function watchRows(session: Session, watch: RowWatch): Promise<void> {
  const { clock, signal } = session.flow;
  const print = createPrinter(session, watch);
  let isAnswering = true;
  let isFirst = true;
  try {
    for (;;) {
      try {
        const answer = await watch.read();
        if (!isAnswering) session.output.logger.warn('The worker answers again.');
        isAnswering = true;
        if (!(await print(answer)) || answer.isOver === true) return;
      } catch (error) {
        if (isFirst || !(error instanceof Failure) || error.code !== 'unreachable') throw error;
        if (isAnswering) session.output.logger.warn(`${error.message} Asking again until it answers.`);
        isAnswering = false;
      }
      isFirst = false;
      await clock.sleep(watch.everyMs, signal);
    }
  } catch (error) {
    // Ctrl-C is the normal end of a watch.
    if (!signal.aborted) throw error;
  }
}

/** Prints what is new in an answer; false if the reader of the output has gone. */
function createPrinter(session: Session, { heads, json, gone }: RowWatch) {
  const { io, flow } = session;
  let shown = new Map<string, WatchedRow>();
  let notes = new Set<string>();
  let widths: readonly number[] | undefined;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === heads.length ? cell : cell.padEnd(widths?.[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return async (answer: WatchedRows): Promise<boolean> => {
    const now = new Date(flow.clock.now()).toISOString();
    const changed = answer.rows.filter(({ id, cells }) => !isEqual(shown.get(id)?.cells, cells));
    const kept = new Set(answer.rows.map(({ id }) => id));
    const left = gone === undefined ? [] : [...shown.values()].filter(({ id }) => !kept.has(id)).map(gone);
    const rows: readonly Omit<WatchedRow, 'id'>[] = [...changed, ...left];
    const inColumns = rows.map(({ at = now, cells }) => [at, ...cells]);
    const lines: string[] = [];
    if (json) lines.push(...rows.map(({ value }) => JSON.stringify(value)));
    else {
      lines.push(...(answer.notes ?? []).filter((note) => !notes.has(note)));
      if (widths === undefined) {
        widths = columnWidths([['TIME', ...heads], ...inColumns]);
        lines.push(line(['TIME', ...heads]));
      }
      lines.push(...inColumns.map(line));
    }
    shown = new Map(answer.rows.map((row) => [row.id, row]));
    notes = new Set(answer.notes);
    if (lines.length === 0) return true;
    const text = lines.map((each) => `${terminalLine(each)}\n`).join('');
    return writeThrough(io.stdout, session.redact(text), io.signal);
  };
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
}

function isEqual(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && b.every((cell, i) => cell === a[i]);
}
