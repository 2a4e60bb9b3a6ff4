import { upperAscii } from '../../../core/ascii-case.ts';
import { isOne, type Writing } from '../sql/writing.ts';

/** A unit of time. */
export interface Unit {
  /** DuckDB's name. */
  readonly name: string;
  /** A day or longer. */
  readonly isDays: boolean;
  /** Begins at the same moments at all offsets, which are whole minutes. */
  readonly isWithinMinute: boolean;
  readonly add: { readonly name: string; readonly factor: number; readonly integer: 'INTEGER' | 'BIGINT' };
}

function days(name: string, add: string, factor = 1): Unit {
  return { name, isDays: true, isWithinMinute: false, add: { name: add, factor, integer: 'INTEGER' } };
}

function time(name: string, add: string, factor = 1): Unit {
  return {
    name,
    isDays: false,
    isWithinMinute: name !== 'hour',
    add: { name: add, factor, integer: 'BIGINT' },
  };
}

const UNITS: readonly (readonly [Unit, string])[] = [
  [days('year', 'to_months', 12), 'YEAR YEARS YY YYYY YR YEARS'],
  [days('quarter', 'to_months', 3), 'QUARTER QUARTERS QTR QTRS'],
  [days('month', 'to_months'), 'MONTH MONTHS MON MONS MM'],
  [days('week', 'to_days', 7), 'WEEK WEEKS WK'],
  [days('day', 'to_days'), 'DAY DAYS DD D'],
  [time('hour', 'to_hours'), 'HOUR HOURS HH HR HRS'],
  [time('minute', 'to_minutes'), 'MINUTE MINUTES MI MIN MINS'],
  [time('second', 'to_microseconds', 1_000_000), 'SECOND SECONDS SEC SECS SS'],
  [time('millisecond', 'to_microseconds', 1000), 'MILLISECOND MILLISECONDS MS'],
  [time('microsecond', 'to_microseconds'), 'MICROSECOND MICROSECONDS US'],
];

const BY_WORD = new Map(UNITS.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])));

const ONLY_OF_ONE = new Set('YY YYYY MM WK DD HH MI SS'.split(' '));

/** The unit of time with this name in a warehouse, in any case. */
export function findUnit(word: string, writing: Writing): Unit | undefined {
  const name = upperAscii(word);
  return !isOne(writing) && ONLY_OF_ONE.has(name) ? undefined : BY_WORD.get(name);
}
