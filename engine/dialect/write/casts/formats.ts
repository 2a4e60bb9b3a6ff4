import { upperAscii } from '../../../core/ascii-case.ts';
import { quoteText } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';

/** Elements of formats that both kinds of warehouse have. */
const SHARED: readonly (readonly [string, string])[] = [
  ['YYYY', '%Y'],
  ['YY', '%y'],
  ['MM', '%m'],
  ['DD', '%d'],
  ['HH24', '%H'],
  ['HH12', '%I'],
  ['MI', '%M'],
  ['SS', '%S'],
  ['AM', '%p'],
  ['PM', '%p'],
];
const OF_ONE: readonly (readonly [string, string])[] = [
  ['MMMM', '%B'],
  ['MON', '%b'],
  ['DY', '%a'],
  ['FF3', '%g'],
  ['FF6', '%f'],
];

/** `WAREHOUSE_TWO` reads the name of a month in any case. */
const READ_OF_TWO: readonly (readonly [string, string])[] = [['MON', '%b']];

/**
 * How `WAREHOUSE_TWO` writes the name of a month: the element says in which case, and a whole name has blanks up to 9
 * characters.
 */
const MONTHS_OF_TWO: Readonly<Record<string, (moment: string) => string>> = {
  MONTH: (moment) => `rpad(upper(monthname(${moment})), 9, ' ')`,
  Month: (moment) => `rpad(monthname(${moment}), 9, ' ')`,
  month: (moment) => `rpad(lower(monthname(${moment})), 9, ' ')`,
  MON: (moment) => `upper(left(monthname(${moment}), 3))`,
  Mon: (moment) => `left(monthname(${moment}), 3)`,
  mon: (moment) => `lower(left(monthname(${moment}), 3))`,
};

/** Formats a date or time in DuckDB's SQL. Undefined if the engine does not know a part of the format. */
export function formattedMoment(moment: string, format: string, writing: Writing): string | undefined {
  const parts = isOne(writing) ? [format] : format.split(/("[^"]*"|MONTH|Month|month|MON|Mon|mon)/);
  const written = parts
    .filter((part) => part !== '')
    .map((part) => {
      const month = isOne(writing) || !Object.hasOwn(MONTHS_OF_TWO, part) ? undefined : MONTHS_OF_TWO[part];
      if (month !== undefined) return month(moment);
      const duck = formatOf(part, writing, 'write');
      return duck === undefined ? undefined : `strftime(${moment}, ${quoteText(duck)})`;
    });
  if (written.length === 0 || written.some((part) => part === undefined)) return undefined;
  return written.length === 1 ? written[0] : `(${written.join(' || ')})`;
}

/** Converts a date format to DuckDB's form. Undefined if the engine does not know a part of the format. */
export function formatOf(format: string, writing: Writing, use: 'read' | 'write'): string | undefined {
  const ofKind = isOne(writing) ? OF_ONE : use === 'read' ? READ_OF_TWO : [];
  const elements = [...ofKind, ...SHARED];
  const codes: string[] = [];
  let result = '';
  for (let offset = 0; offset < format.length;) {
    const rest = format.slice(offset);
    const element = elements.find(([name]) => upperAscii(rest.slice(0, name.length)) === name);
    const literal = /^(?:[-/:., _]|"[^"%]*")/.exec(rest)?.[0];
    if (element) {
      if (use === 'read' && element[0] === 'FF3') return undefined;
      // In lower case, `WAREHOUSE_TWO` may write `pm`.
      const isOther = !isOne(writing) && use === 'write' && !rest.startsWith(element[0]);
      if (element[1] === '%p' && isOther) return undefined;
      codes.push(element[1]);
      result += element[1];
      offset += element[0].length;
    } else if (literal !== undefined) {
      result += literal.replaceAll('"', '');
      offset += literal.length;
    } else if (isOne(writing) && rest.startsWith('T')) {
      result += 'T';
      offset += 1;
    } else return undefined;
  }
  return isConsistent(codes, use) ? result : undefined;
}

/** Elements that say the same part of a date or time. */
const PARTS = ['Yy', 'mBb', 'd', 'HI', 'M', 'S', 'gf', 'p', 'a'];

/**
 * Whether a format reads no part of a date twice, because the parts may contradict each other, and has AM or PM exactly
 * if it has HH12. The warehouses demand it; what they make of other formats is not documented.
 */
function isConsistent(codes: readonly string[], use: 'read' | 'write'): boolean {
  const has = (element: string) => codes.includes(element);
  if (has('%p') && (has('%H') || !has('%I'))) return false;
  if (use === 'write') return true;
  const count = (part: string) => codes.filter((element) => part.includes(element.slice(1))).length;
  return PARTS.every((part) => count(part) <= 1) && has('%I') === has('%p');
}

/**
 * The SQL that reads a text in a format of DuckDB as a timestamp. With `isTry`, the result is NULL if the text does
 * not have the format.
 */
export function momentOf(text: string, format: string, isTry: boolean): string {
  const moment = `${isTry ? 'try_strptime' : 'strptime'}(${text}, ${quoteText(format)})`;
  if (!format.includes('%y')) return moment;
  // Both warehouses read the years 70 to 99 of two digits as 1970 to 1999; DuckDB also reads 69 as 1969.
  return `CASE WHEN year(${moment}) = 1969 THEN ${moment} + to_years(100) ELSE ${moment} END`;
}
