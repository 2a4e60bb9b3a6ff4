import { numberOf } from '../../core/text/number-of.ts';
import { parseDecimal } from '../../core/values/decimal.ts';
import { isTruthValue } from '../../core/values/truth-value.ts';
import { inUtc, isTime, type Moment, parseMoment } from '../../core/values/written-moment.ts';
import type { Grid } from './grid.ts';

/** What the value of a typed variable is, and how it is written. */
interface TypedForm {
  readonly noun: string;
  /** A value, for a first test. */
  readonly example: string;
  /** How to write the value, if the noun does not show it. */
  readonly form?: string;
  readonly accepts: (text: string) => boolean;
  /** One text for each value, however it is written; their order is the order of the values. */
  readonly sorted?: (text: string) => string;
}

const momentForm: TypedForm = {
  noun: 'a date and a time',
  example: '2026-01-02 06:00:00',
  form: 'YYYY-MM-DD HH:MM:SS',
  accepts: (text) => hasMicroseconds(parseMoment(text)),
  sorted: sortedMoment,
};

/** The types of variables besides `TEXT` and `GRID`. A variable of a type that is not known is a text. */
const forms: Readonly<Record<string, TypedForm>> = {
  NUMBER: {
    noun: 'a number',
    example: '1',
    // 1e999 is infinite for every reader of numbers.
    accepts: (text) => parseDecimal(text) !== undefined && Number.isFinite(Number(text)),
  },
  BOOLEAN: {
    noun: 'a truth value',
    example: 'true',
    form: 'true or false',
    accepts: isTruthValue,
    sorted: (text) => text.toLowerCase(),
  },
  DATE: {
    noun: 'a date',
    example: '2026-01-02',
    form: 'YYYY-MM-DD',
    accepts: (text) => /^\d{4,6}-\d\d-\d\d$/.test(text) && parseMoment(text) !== undefined,
    sorted: sortedMoment,
  },
  TIME: {
    noun: 'a time',
    example: '06:00:00',
    form: 'HH:MM:SS',
    accepts: (text) => isTime(text.replace(/\.\d{1,6}$/, '')),
    sorted: (text) => text.replace(/\.?0*$/, (zeros) => (text.includes('.') ? '' : zeros)),
  },
  DATETIME: momentForm,
  TIMESTAMP: momentForm,
};

function sortedMoment(text: string): string {
  const moment = parseMoment(text);
  const utc = moment && inUtc(moment);
  if (utc === undefined) return text;
  const [year, month, day] = [utc.year, utc.month, utc.day].map((part) => String(part).padStart(6, '0'));
  return [year, month, day, utc.time, utc.fraction].join(' ');
}

/** The text by which values of a type are compared; for a text, the text itself. */
export function sortedValue(type: string, value: string): string {
  const sorted = isTyped(type) ? forms[type]?.sorted : undefined;
  return value === '' || sorted === undefined ? value : sorted(value);
}

function hasMicroseconds(moment: Moment | undefined): boolean {
  return moment !== undefined && moment.fraction.length <= 6;
}

/** The types of variables that Millrace distinguishes. */
export const variableTypes: readonly string[] = ['TEXT', 'GRID', ...Object.keys(forms)];

/** Whether a type is more specific than text, so that an empty value counts as not set. */
export function isTyped(type: string): boolean {
  return Object.hasOwn(forms, type);
}

/** A valid value for a variable of a type; undefined for a text. */
export function exampleOfType(type: string): string | undefined {
  return isTyped(type) ? forms[type]?.example : undefined;
}

/**
 * The reason why a text is not a valid value for a variable of a type, as the end of a sentence; undefined if it is
 * valid. A value must be written as in the tables of a test. How a real platform reads values is not known
 * (unknowns §2).
 */
export function valueFault(type: string, value: string): string | undefined {
  const typed = isTyped(type) ? forms[type] : undefined;
  if (typed === undefined || value === '' || typed.accepts(value)) return undefined;
  return `is ${typed.noun} and cannot be "${value}"${typed.form === undefined ? '' : `: write ${typed.form}`}`;
}

/** Like `valueFault`, for a cell of a grid, with the name of its column. */
export function cellFault(
  { columns, columnTypes }: GridColumns,
  column: number,
  value: string,
): string | undefined {
  const fault = valueFault(columnTypes[column] ?? 'TEXT', value);
  return fault === undefined ? undefined : `the column "${columns[column] ?? ''}" ${fault}`;
}

/** The columns of a grid, in order. A type is undefined if the file names none. */
export interface GridColumns {
  readonly columns: readonly string[];
  readonly columnTypes: readonly (string | undefined)[];
}

/**
 * The reason why a grid cannot have some rows: a row has another number of cells than the grid has columns, or a
 * cell does not have the type of its column.
 * @param isKnown whether the text of a cell is its value
 */
export function gridFault(
  { columns, columnTypes }: GridColumns,
  rows: Grid,
  isKnown: (cell: string) => boolean = () => true,
): string | undefined {
  for (const row of rows) {
    const width = widthFault(columns, row.length);
    if (width !== undefined) return width;
    for (const [column, value] of row.entries()) {
      const fault = isKnown(value) ? cellFault({ columns, columnTypes }, column, value) : undefined;
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** The reason why a row of a grid cannot have this number of cells. A grid without column names is read by position. */
export function widthFault(columns: readonly string[], cells: number): string | undefined {
  if (columns.length === 0 || cells === columns.length) return undefined;
  const counts = `a row with ${numberOf(cells, 'cell')} is not possible, because it has ${numberOf(columns.length, 'column')}`;
  return `${counts}: ${columns.join(', ')}`;
}
