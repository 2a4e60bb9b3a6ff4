import { upperAscii } from '../../../core/ascii-case.ts';
import type { SqlType } from '../../../core/sql-type.ts';
import { asText, cast, expectDate } from '../casts/convert.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { formattedMoment } from '../casts/formats.ts';
import { shift } from '../operators/interval.ts';
import { withKnownOffset } from '../casts/offsets.ts';
import {
  DATE,
  decimal,
  FLOAT,
  isDateLike,
  isNumeric,
  quoteText,
  TEXT,
  TIMESTAMP,
  type Typed,
  UTC_MOMENT,
  WHOLE,
} from '../sql/typed.ts';
import { findUnit, type Unit } from '../operators/units.ts';
import { isOne } from '../sql/writing.ts';
import { clock, getdate } from './clock.ts';
import { toDate } from './dates-of-text.ts';
import { type FunctionRule, type TypedCall, integer, number, refuseFormat, type Rules } from './rule.ts';

const ZONED: SqlType = { name: 'TIMESTAMP_TZ' };
const kindOne = 'WAREHOUSE_ONE';

function unitOf(call: TypedCall): Unit | undefined {
  return findUnit(call.values[0]?.text ?? '', call.writing);
}

function date(call: TypedCall, index: number): Typed {
  const value = call.values[index];
  if (value === undefined) throw new Error('no such argument');
  return expectDate(value, call.at, call.writing);
}

/** A date or moment, if it is known which date and time the warehouse shows for it. */
function localDate(call: TypedCall, index: number): Typed {
  return withKnownOffset(date(call, index), call.at, call.writing);
}

function dateAdd(call: TypedCall): Typed | undefined {
  const unit = unitOf(call);
  if (unit === undefined) return undefined;
  const value = date(call, 2);
  const moved = shift(value, number(call, 1), unit, false, call.at, call.writing);
  if (isOne(call.writing) || unit.name !== 'year') return moved;
  // In `WAREHOUSE_TWO`, the 29th of February becomes the 1st of March in a year that does not have it, unless months
  // are added.
  const isLost = `month(${value.sql}) = 2 AND day(${value.sql}) = 29 AND day(${moved.sql}) = 28`;
  return { ...moved, sql: `CASE WHEN ${isLost} THEN ${moved.sql} + to_days(1) ELSE ${moved.sql} END` };
}

function dateDiff(call: TypedCall): Typed | undefined {
  const unit = unitOf(call);
  if (unit === undefined || (unit.name === 'week' && !isOne(call.writing))) return undefined;
  const [from, to] = [1, 2].map((index) => {
    const value = date(call, index);
    const isMoment = unit.isWithinMinute && value.type.name === 'TIMESTAMP_TZ';
    const moment = isMoment ? { ...value, type: UTC_MOMENT } : value;
    return cast(moment, TIMESTAMP, call.at, call.writing).sql;
  });
  const type = isOne(call.writing) ? decimal(9, 0) : { name: 'BIGINT' as const };
  // DuckDB's weeks of timestamps do not start on Monday.
  if (unit.name === 'week') {
    const days = `date_diff('day', date_trunc('week', ${from}), date_trunc('week', ${to}))`;
    return { sql: `(${days} // 7)`, type, isInteger: true };
  }
  return { sql: `date_diff('${unit.name}', ${from}, ${to})`, type, isInteger: true };
}

function truncate(call: TypedCall): Typed | undefined {
  const unit = unitOf(call);
  if (unit === undefined) return undefined;
  const value = unit.isWithinMinute ? date(call, 1) : localDate(call, 1);
  const sql = `date_trunc('${unit.name}', ${value.sql})`;
  if (value.type.name !== 'DATE') return { sql, type: value.type };
  if (isOne(call.writing)) return { sql: `CAST(${sql} AS DATE)`, type: DATE };
  return { sql: `CAST(${sql} AS TIMESTAMP)`, type: TIMESTAMP };
}

/** The parts of a date: DuckDB's function for each part, with all names of the part. */
const PARTS = new Map(
  Object.entries({
    year: 'YEAR Y YY YYY YYYY YR YEARS YRS',
    quarter: 'QUARTER Q QTR QTRS QUARTERS',
    month: 'MONTH MM MON MONS MONTHS',
    day: 'DAY D DD DAYS DAYOFMONTH',
    dayofweek: 'DAYOFWEEK WEEKDAY DOW DW',
    isodow: 'DAYOFWEEKISO DAYOFWEEK_ISO WEEKDAY_ISO DOW_ISO DW_ISO',
    dayofyear: 'DAYOFYEAR YEARDAY DOY DY',
    week: 'WEEK W WK WEEKOFYEAR WOY WY WEEKISO WEEK_ISO WEEKOFYEARISO WEEKOFYEAR_ISO',
    isoyear: 'YEAROFWEEKISO',
    hour: 'HOUR H HH HR HOURS HRS',
    minute: 'MINUTE M MI MIN MINUTES MINS',
  }).flatMap(([duck, words]) => words.split(' ').map((word) => [word, duck] as const)),
);
const SECONDS = new Set('SECOND S SEC SECONDS SECS'.split(' '));
const EPOCH = new Set('EPOCH EPOCH_SECOND EPOCH_SECONDS'.split(' '));
const ONLY_OF_ONE = /ISO|^(?:YY|YYY|YYYY|Q|MM|DD|WOY|WY|WK|WEEKOFYEAR|DAYOFMONTH|HH|MI)$/;

function part(written: string, call: TypedCall, index: number): Typed | undefined {
  const name = upperAscii(written);
  const value = date(call, index);
  const isKindOne = isOne(call.writing);
  if (!isKindOne && ONLY_OF_ONE.test(name)) return undefined;
  const type = isKindOne ? decimal(4, 0) : { name: 'INTEGER' as const };
  if (SECONDS.has(name) && isKindOne) return { sql: `second(${value.sql})`, type, isInteger: true };
  if (EPOCH.has(name) && isKindOne) {
    const moment = `CAST(${value.sql} AS TIMESTAMP)`;
    return {
      sql: `epoch_us(date_trunc('second', ${moment})) // 1000000`,
      type: decimal(38, 0),
      isInteger: true,
    };
  }
  const duck = PARTS.get(name);
  if (duck === undefined) return undefined;
  return { sql: `${duck}(${localDate(call, index).sql})`, type, isInteger: true };
}

/**
 * In `WAREHOUSE_TWO`, DATE_PART gives a DOUBLE; EXTRACT gives an INTEGER, but a DOUBLE of a moment with a time zone.
 */
function partOf(isExtract: boolean): FunctionRule {
  return {
    arguments: [2, 2],
    write: (call) => {
      const whole = part(call.values[0]?.text ?? '', call, 1);
      const isWhole = isExtract && call.values[1]?.type.name !== 'TIMESTAMP_TZ';
      if (whole === undefined || isWhole || isOne(call.writing)) return whole;
      return { sql: `CAST(${whole.sql} AS DOUBLE)`, type: FLOAT };
    },
  };
}

function partFunction(name: string): FunctionRule {
  return { arguments: [1, 1], only: kindOne, write: (call) => part(name, call, 0) };
}

function shortName(duck: string): FunctionRule {
  return {
    arguments: [1, 1],
    only: kindOne,
    write: (call) => ({ sql: `left(${duck}(${localDate(call, 0).sql}), 3)`, type: TEXT }),
  };
}

/** The last day of a month, or of another unit of at least a week. */
function lastDay(call: TypedCall): Typed | undefined {
  const value = localDate(call, 0).sql;
  const unit = findUnit(call.values.length > 1 ? (call.values[1]?.text ?? '') : 'MONTH', call.writing);
  if (unit === undefined || !unit.isDays || unit.name === 'day') return undefined;
  if (unit.name === 'month') return { sql: `last_day(${value})`, type: DATE };
  const next = `date_trunc('${unit.name}', ${value}) + ${unit.add.name}(${unit.add.factor})`;
  return { sql: `CAST(${next} - to_days(1) AS DATE)`, type: DATE };
}

/** The last day of a month stays the last day. */
function addMonths(call: TypedCall): Typed {
  const value = date(call, 0);
  const months = findUnit('MONTH', call.writing);
  if (months === undefined) throw new Error('no months');
  const day = cast(value, DATE, call.at, call.writing);
  const count = cast(number(call, 1), WHOLE, call.at, call.writing);
  const moved = shift(value, count, months, false, call.at, call.writing);
  const movedDay = `CAST(${moved.sql} AS DATE)`;
  const isLast = `${day.sql} = last_day(${day.sql})`;
  const extra = `(last_day(${movedDay}) - ${movedDay})`;
  const late =
    moved.type.name === 'DATE'
      ? `${moved.sql} + CAST(${extra} AS INTEGER)`
      : `${moved.sql} + to_days(CAST(${extra} AS INTEGER))`;
  return { sql: `CASE WHEN ${isLast} THEN ${late} ELSE ${moved.sql} END`, type: moved.type };
}

function toChar(call: TypedCall): Typed | undefined {
  const [value, format] = call.values;
  if (value === undefined) return undefined;
  if (format === undefined) return isOne(call.writing) ? asText(value, call.at, call.writing) : undefined;
  if (isNumeric(value.type))
    return refuseFormat(call, 'write the number without a format, or mock the component');
  if (format.text === undefined || !isDateLike(value.type)) return undefined;
  const moment = value.type.name === 'TIMESTAMP_TZ' ? `CAST(${value.sql} AS TIMESTAMP)` : value.sql;
  const sql = formattedMoment(moment, format.text, call.writing);
  if (sql === undefined) return undefined;
  withKnownOffset(value, call.at, call.writing);
  return { sql, type: TEXT };
}

/** Whole months, and the rest in parts of 31 days; two last days of months are whole months apart. */
function monthsBetween(call: TypedCall): Typed {
  const [a, b] = [0, 1].map((index) => cast(date(call, index), DATE, call.at, call.writing).sql);
  const months = `((year(${a}) - year(${b})) * 12 + month(${a}) - month(${b}))`;
  const isWhole = `day(${a}) = day(${b}) OR (${a} = last_day(${a}) AND ${b} = last_day(${b}))`;
  return {
    sql: `CASE WHEN ${isWhole} THEN CAST(${months} AS DOUBLE) ELSE round(${months} + (day(${a}) - day(${b})) / 31.0, 6) END`,
    type: FLOAT,
  };
}

/** Years, months and days beyond their range carry over: month 13 is January of the next year. */
function dateFromParts(call: TypedCall): Typed {
  const [year, month, day] = ['year', 'month', 'day'].map((unit, index) =>
    integer(call, index, findUnit(unit, call.writing)?.most),
  );
  const first = `make_date(${year}, 1, 1) + to_months(CAST(${month} - 1 AS INTEGER))`;
  return { sql: `CAST(${first} + to_days(CAST(${day} - 1 AS INTEGER)) AS DATE)`, type: DATE };
}

/** A moment in UTC, or between the two time zones that are named. */
function convertZone(call: TypedCall): Typed | undefined {
  const zones = call.values.slice(0, -1).map(({ text: zone }) => zone);
  if (zones.some((zone) => zone === undefined || !/^[A-Za-z_]+(?:\/[A-Za-z_+-]+)*$/.test(zone)))
    return undefined;
  const [from, to] = zones;
  const last = call.values.length - 1;
  // With one zone, the result keeps the offset of that zone, which DuckDB does not store.
  if (to === undefined) {
    const isUtc = /^(?:Etc\/)?UTC$/i.test(from ?? '');
    const value = date(call, last);
    return isUtc ? { ...cast(value, ZONED, call.at, call.writing), type: UTC_MOMENT } : undefined;
  }
  const moment = cast(date(call, last), TIMESTAMP, call.at, call.writing).sql;
  const sql = computedOnce(moment, call.writing, (value) => betweenZones(value, from ?? '', to));
  return { sql, type: TIMESTAMP };
}

/** No page says how a warehouse converts a time that the zone does not have, or has twice. */
function betweenZones(moment: string, from: string, to: string): string {
  const instant = `(${moment} AT TIME ZONE ${quoteText(from)})`;
  const isLocal = (shifted: string) => `(${shifted} AT TIME ZONE ${quoteText(from)}) = ${moment}`;
  const again = [-60, -30, 30, 60].map((minutes) => isLocal(`(${instant} + to_minutes(${minutes}))`));
  const unsure = [`NOT (${isLocal(instant)})`, ...again].join(' OR ');
  const message = `'Millrace does not support the time ''' || ${moment} || ${quoteText(`' in ${from}, because clocks there show this time twice or never`)}`;
  return `CASE WHEN ${unsure} THEN error(${message}) ELSE ${instant} AT TIME ZONE ${quoteText(to)} END`;
}

const ADD: FunctionRule = { arguments: [3, 3], write: dateAdd };
const DIFF: FunctionRule = { arguments: [3, 3], write: dateDiff };
const TO_TIMESTAMP = { ...toDate(TIMESTAMP), only: kindOne } as const;

/** Functions that compute with dates and timestamps. */
export const DATES: Rules = {
  CURRENT_TIMESTAMP: { ...clock(ZONED), withoutTable: 'GETDATE()' },
  GETDATE: { ...clock(ZONED, undefined, TIMESTAMP), write: getdate },
  LOCALTIMESTAMP: { ...clock(ZONED, undefined, TIMESTAMP), withoutTable: 'GETDATE()' },
  SYSDATE: clock(TIMESTAMP),
  NOW: { ...clock(ZONED, 'WAREHOUSE_TWO'), withoutTable: 'GETDATE()' },
  CURRENT_DATE: clock(DATE),
  DATEADD: ADD,
  TIMESTAMPADD: { ...ADD, only: kindOne },
  DATEDIFF: DIFF,
  TIMESTAMPDIFF: { ...DIFF, only: kindOne },
  DATE_TRUNC: { arguments: [2, 2], write: truncate },
  DATE_PART: partOf(false),
  EXTRACT: partOf(true),
  YEAR: partFunction('YEAR'),
  QUARTER: partFunction('QUARTER'),
  MONTH: partFunction('MONTH'),
  DAY: partFunction('DAY'),
  DAYOFMONTH: partFunction('DAY'),
  DAYOFWEEK: partFunction('DAYOFWEEK'),
  DAYOFWEEKISO: partFunction('DAYOFWEEKISO'),
  DAYOFYEAR: partFunction('DAYOFYEAR'),
  WEEK: partFunction('WEEK'),
  WEEKOFYEAR: partFunction('WEEK'),
  WEEKISO: partFunction('WEEK'),
  HOUR: partFunction('HOUR'),
  MINUTE: partFunction('MINUTE'),
  SECOND: partFunction('SECOND'),
  DAYNAME: shortName('dayname'),
  MONTHNAME: shortName('monthname'),
  LAST_DAY: { arguments: [1, 2], warehouseArguments: { WAREHOUSE_TWO: [1, 1] }, write: lastDay },
  ADD_MONTHS: { arguments: [2, 2], only: kindOne, write: addMonths },
  TO_DATE: { ...toDate(DATE), warehouseArguments: { WAREHOUSE_TWO: [2, 3] } },
  DATE: { ...toDate(DATE), only: kindOne },
  TRY_TO_DATE: { ...toDate(DATE, true), only: kindOne },
  TO_TIMESTAMP,
  TO_TIMESTAMP_NTZ: TO_TIMESTAMP,
  TRY_TO_TIMESTAMP: { ...toDate(TIMESTAMP, true), only: kindOne },
  TRY_TO_TIMESTAMP_NTZ: { ...toDate(TIMESTAMP, true), only: kindOne },
  TO_CHAR: { arguments: [1, 2], write: toChar },
  TO_VARCHAR: { arguments: [1, 2], only: kindOne, write: toChar },
  MONTHS_BETWEEN: { arguments: [2, 2], only: kindOne, write: monthsBetween },
  DATE_FROM_PARTS: { arguments: [3, 3], only: kindOne, write: dateFromParts },
  DATEFROMPARTS: { arguments: [3, 3], only: kindOne, write: dateFromParts },
  CONVERT_TIMEZONE: { arguments: [2, 3], only: kindOne, write: convertZone },
};
