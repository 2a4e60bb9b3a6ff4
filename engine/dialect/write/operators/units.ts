import { upperAscii } from '../../../core/ascii-case.ts';
import { isOne, type Writing } from '../sql/writing.ts';

/** A unit of time. */
export interface Unit {
  /** DuckDB's name of the unit. */
  readonly name: string;
  /** Whether the unit is a day or longer. */
  readonly isDays: boolean;
  /** Whether the unit begins at the same moments in all time zones, whose offsets are whole minutes. */
  readonly isWithinMinute: boolean;
  /** The number of units in the years that a date can have. */
  readonly most: number;
  readonly add: { readonly name: string; readonly factor: number; readonly integer: 'INTEGER' | 'BIGINT' };
}

/** A timestamp of DuckDB has no year after 294247. */
const YEARS = 290_000;
const DAYS = YEARS * 365;

function days(name: string, add: string, factor = 1): Unit {
  const most = Math.floor((add === 'to_months' ? YEARS * 12 : DAYS) / factor);
  return { name, isDays: true, isWithinMinute: false, most, add: { name: add, factor, integer: 'INTEGER' } };
}

function time(name: string, perDay: number, add: string, factor = 1): Unit {
  return {
    name,
    isDays: false,
    isWithinMinute: name !== 'hour',
    most: Math.min(DAYS * perDay, Number.MAX_SAFE_INTEGER),
    add: { name: add, factor, integer: 'BIGINT' },
  };
}

const UNITS: readonly (readonly [Unit, string])[] = [
  [days('year', 'to_months', 12), 'YEAR YEARS YY YYYY YR YEARS'],
  [days('quarter', 'to_months', 3), 'QUARTER QUARTERS QTR QTRS'],
  [days('month', 'to_months'), 'MONTH MONTHS MON MONS MM'],
  [days('week', 'to_days', 7), 'WEEK WEEKS WK'],
  [days('day', 'to_days'), 'DAY DAYS DD D'],
  [time('hour', 24, 'to_hours'), 'HOUR HOURS HH HR HRS'],
  [time('minute', 1440, 'to_minutes'), 'MINUTE MINUTES MI MIN MINS'],
  [time('second', 86_400, 'to_microseconds', 1_000_000), 'SECOND SECONDS SEC SECS SS'],
  [time('millisecond', 86_400_000, 'to_microseconds', 1000), 'MILLISECOND MILLISECONDS MS'],
  [time('microsecond', 86_400_000_000, 'to_microseconds'), 'MICROSECOND MICROSECONDS US'],
];

const BY_WORD = new Map(UNITS.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])));

const ONLY_OF_ONE = new Set('YY YYYY MM WK DD HH MI SS'.split(' '));

/** Finds the unit of time with this name in a warehouse. Upper and lower case do not matter. */
export function findUnit(word: string, writing: Writing): Unit | undefined {
  const name = upperAscii(word);
  return !isOne(writing) && ONLY_OF_ONE.has(name) ? undefined : BY_WORD.get(name);
}
