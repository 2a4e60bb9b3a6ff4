import { LARGE_TEXT } from '../../../duckdb/values/functions.ts';
import { BOOLEAN, decimal, TEXT, type Typed } from '../sql/typed.ts';
import { joinTexts } from '../operators/join-texts.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';
import { type FunctionRule, type Given, integer, literal, type Rules, text } from './rule.ts';
import { bounded, checked, third } from './text-sizes.ts';

const LENGTH = decimal(18, 0);

/** A function of texts that DuckDB has with the same meaning. */
function plain(name: string, least: number, most = least, type = TEXT): FunctionRule {
  return {
    arguments: [least, most],
    write: (given) => ({
      sql: `${name}(${given.values.map((_, index) => text(given, index)).join(', ')})`,
      type,
    }),
  };
}

/** Without characters, only spaces are removed; DuckDB's own function would remove all blanks of Unicode. */
function trim(name: string): FunctionRule {
  return {
    arguments: [1, 2],
    write: (given) => {
      const characters = given.values.length > 1 ? text(given, 1) : "' '";
      return { sql: `${name}(${text(given, 0)}, ${characters})`, type: TEXT };
    },
  };
}

function length(given: Given): Typed {
  const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' as const };
  return { sql: `length(${text(given, 0)})`, type, isInteger: true };
}

/** A whole number, 0 where it is negative. Not `greatest`: DuckDB's ignores NULL, and NULL must stay NULL. */
function atLeastZero(given: Given, index: number): string {
  const known = literal(given, index);
  if (known !== undefined) return String(Math.max(known, 0));
  const count = integer(given, index);
  return `CASE WHEN ${count} < 0 THEN 0 ELSE ${count} END`;
}

/** A whole number that must not be negative. */
function notNegative(given: Given, index: number, name: string): string {
  const count = integer(given, index);
  if (literal(given, index) !== undefined) return count;
  const message = `Millrace does not support ${name} with a negative number`;
  return `CASE WHEN ${count} < 0 THEN error('${message}') ELSE ${count} END`;
}

function substring(given: Given): Typed | undefined {
  if (!isOne(given.writing)) return substringOfTwo(given);
  const start = literal(given, 1);
  const count = given.values.length > 2 ? `, ${atLeastZero(given, 2)}` : '';
  const value = text(given, 0);
  if (start !== undefined && start >= 0)
    return { sql: `substring(${value}, ${start || 1}${count})`, type: TEXT };
  const position = integer(given, 1);
  // DuckDB begins with the first character where the position is before it: the warehouse finds nothing there.
  const within = `CASE WHEN ${position} < - length(${value}) THEN '' ELSE ${value} END`;
  const from = start ?? `CASE WHEN ${position} = 0 THEN 1 ELSE ${position} END`;
  return { sql: `substring(${within}, ${from}${count})`, type: TEXT };
}

/** The characters from a position, which may be before the first one: the number of characters counts from there. */
function substringOfTwo(given: Given): Typed | undefined {
  const value = text(given, 0);
  const hasCount = given.values.length > 2;
  // The warehouse refuses a negative number.
  if (hasCount && (literal(given, 2) ?? 0) < 0) return undefined;
  const count = hasCount ? notNegative(given, 2, 'SUBSTRING') : undefined;
  const sql = computedOnce(integer(given, 1), given.writing, (start) => {
    const first = `CASE WHEN ${start} < 1 THEN 1 ELSE ${start} END`;
    if (count === undefined) return `substring(${value}, ${first})`;
    const end = `${start} + ${count}`;
    const rest = `CASE WHEN ${start} >= 1 THEN ${count} WHEN ${end} > 1 THEN ${end} - 1 WHEN ${end} <= 1 THEN 0 END`;
    return `substring(${value}, ${first}, ${rest})`;
  });
  return { sql, type: TEXT };
}

/** By code points, as the warehouse does; DuckDB's own function keeps a letter and its accent together. */
function reverse(given: Given): Typed {
  const points = `regexp_extract_all(${text(given, 0)}, '(?s).')`;
  return { sql: `array_to_string(list_reverse(${points}), '')`, type: TEXT };
}

function side(name: string): FunctionRule {
  return {
    arguments: [2, 2],
    write: (given) => {
      // Of a negative number, only one kind says what it means.
      const isKnown = isOne(given.writing) || (literal(given, 1) ?? 0) >= 0;
      const count = isOne(given.writing) ? atLeastZero(given, 1) : notNegative(given, 1, name.toUpperCase());
      return isKnown ? { sql: `${name}(${text(given, 0)}, ${count})`, type: TEXT } : undefined;
    },
  };
}

function pad(name: string): FunctionRule {
  return {
    arguments: [2, 3],
    write: (given) => {
      const fill = given.values.length > 2 ? text(given, 2) : "' '";
      const known = literal(given, 1);
      const wanted = atLeastZero(given, 1);
      const isShort = known !== undefined && known <= LARGE_TEXT;
      // DuckDB computes a size that is the same in all rows once: it must depend on the row.
      const size = `${wanted} + least(strlen(${text(given, 0)}), 0)`;
      const count = isShort ? wanted : bounded(given, wanted, size);
      return { sql: `${name}(${text(given, 0)}, CAST(${count} AS INTEGER), ${fill})`, type: TEXT };
    },
  };
}

/** NULL if one of them is NULL. */
function concat({ values, at, writing }: Given): Typed {
  return joinTexts(values, at, writing);
}

function concatWithSeparator({ values, at, writing }: Given): Typed {
  const [separator, ...parts] = values;
  if (separator === undefined) throw new Error('no separator');
  const between = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return joinTexts(between, at, writing);
}

function splitPart(given: Given): Typed | undefined {
  const part = literal(given, 2);
  if (part === undefined || (!isOne(given.writing) && part < 1)) return undefined;
  const [value, separator] = [text(given, 0), text(given, 1)];
  const split = `split_part(${value}, ${separator}, ${part || 1})`;
  const known = given.values[1]?.text;
  if (known === undefined ? !isOne(given.writing) : known !== '') return { sql: split, type: TEXT };
  // DuckDB would split between all characters.
  if (!isOne(given.writing)) return undefined;
  const unsplit = Math.abs(part || 1) === 1 ? value : `CASE WHEN ${value} IS NOT NULL THEN '' END`;
  return { sql: `CASE WHEN ${separator} = '' THEN ${unsplit} ELSE ${split} END`, type: TEXT };
}

function indexOf(needle: number): FunctionRule {
  return {
    arguments: [2, 2],
    write: (given) => {
      const [part, whole] = [text(given, needle), text(given, 1 - needle)];
      const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' as const };
      if (given.values.length === 2) return { sql: `instr(${whole}, ${part})`, type, isInteger: true };
      const sql = indexFrom(given, part, whole);
      return sql === undefined ? undefined : { sql, type, isInteger: true };
    },
  };
}

/** The position in the whole text, from a start that is a literal. */
function indexFrom(given: Given, part: string, whole: string): string | undefined {
  const start = literal(given, 2);
  const known = given.values[0]?.text;
  if (start === undefined || start < 1 || known === undefined || known === '') return undefined;
  const found = `instr(substring(${whole}, ${start}), ${part})`;
  return `CASE ${found} WHEN 0 THEN 0 ELSE ${found} + ${start - 1} END`;
}

function replaceText(given: Given): Typed {
  const [from, to] = [given.values[1]?.text, given.values.length > 2 ? given.values[2]?.text : ''];
  const cannotGrow =
    from !== undefined && to !== undefined && Buffer.byteLength(to) <= Buffer.byteLength(from);
  if (cannotGrow)
    return { sql: `replace(${text(given, 0)}, ${text(given, 1)}, ${third(given)})`, type: TEXT };
  const matches = `(strlen(given.a0) - strlen(replace(given.a0, given.a1, ''))) / greatest(strlen(given.a1), 1)`;
  const size = `strlen(given.a0) + ${matches} * CAST(strlen(given.a2) - strlen(given.a1) AS DOUBLE)`;
  return { sql: checked(given, size, 'replace(given.a0, given.a1, given.a2)'), type: TEXT };
}

function sha2(given: Given): Typed | undefined {
  const bits = given.values.length > 1 ? literal(given, 1) : 256;
  return bits === 256 ? { sql: `sha256(${text(given, 0)})`, type: TEXT } : undefined;
}

function code(given: Given): Typed {
  const value = text(given, 0);
  const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' as const };
  return { sql: `CASE WHEN ${value} = '' THEN 0 ELSE unicode(${value}) END`, type, isInteger: true };
}

/** What is between words on one kind; on the other, all but letters and digits. */
const DELIMITERS = '\\s\\v!?@"^#$&~_,.:;+\\-*%/|\\\\\\[\\](){}<>';

/** The first letter of each word in upper case, the others in lower case. */
function capitalize(given: Given): Typed {
  const [word, between] = isOne(given.writing)
    ? [`[^${DELIMITERS}]+`, `[${DELIMITERS}]+`]
    : ['[\\p{L}\\p{N}]+', '[^\\p{L}\\p{N}]+'];
  const plainLetters = withoutSpecial('INITCAP', text(given, 0), given.writing, (value) => value);
  const words = `regexp_extract_all(lower(${plainLetters}), '${word}|${between}')`;
  return {
    sql: `CASE WHEN ${text(given, 0)} IS NOT NULL THEN array_to_string(list_transform(${words}, lambda word: upper(left(word, 1)) || substr(word, 2)), '') END`,
    type: TEXT,
  };
}

function repeatText(given: Given): Typed {
  const known = literal(given, 1);
  if (known !== undefined && known < 0)
    throw refusal('REPEAT with a negative number', given.at, given.writing);
  const [value, count] = [text(given, 0), notNegative(given, 1, 'REPEAT')];
  const size = `strlen(${value}) * CAST(${count} AS DOUBLE)`;
  return { sql: `repeat(${value}, ${bounded(given, count, size)})`, type: TEXT };
}

/** Kind 2 has NULL for a number beyond ASCII, by its documents; no text here has the character 0. */
function character(given: Given): Typed {
  const point = `CAST(${integer(given, 0)} AS INTEGER)`;
  const most = isOne(given.writing) ? 0x10_ff_ff : 0x7f;
  const message = `Millrace does not support CHR of a number that is not from 1 to ${most}`;
  return {
    sql: `CASE WHEN ${point} NOT BETWEEN 1 AND ${most} THEN error('${message}') ELSE chr(${point}) END`,
    type: TEXT,
  };
}

/** Letters that become several ones in the other case, or that do so in some languages. */
const SPECIAL = 'ßŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒΐῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗİ';

function otherCase(name: 'UPPER' | 'LOWER'): FunctionRule {
  return {
    arguments: [1, 1],
    write: (given) => {
      const change = (value: string) => `${name.toLowerCase()}(${value})`;
      const value = text(given, 0);
      const sql = given.values[0]?.hasPlainLetters
        ? change(value)
        : withoutSpecial(name, value, given.writing, change);
      return { sql, type: TEXT, hasPlainLetters: true };
    },
  };
}

function withoutSpecial(
  name: string,
  given: string,
  writing: Writing,
  use: (value: string) => string,
): string {
  const message = `Millrace does not support ${name} of a text with a letter, such as ß or İ, that is not a single letter in the other case`;
  return computedOnce(given, writing, (value) => {
    const isSpecial = `strlen(${value}) <> length(${value}) AND regexp_matches(${value}, '[${SPECIAL}]')`;
    return `CASE WHEN ${isSpecial} THEN error('${message}') ELSE ${use(value)} END`;
  });
}

const one = 'WAREHOUSE_ONE';
const LENGTH_RULE: FunctionRule = { arguments: [1, 1], write: length };
const CHARINDEX: FunctionRule = {
  ...indexOf(0),
  arguments: [2, 3],
  warehouseArguments: { WAREHOUSE_TWO: [2, 2] },
};
const SUBSTRING: FunctionRule = { arguments: [2, 3], write: substring };

/** Functions of texts. */
export const TEXTS: Rules = {
  UPPER: otherCase('UPPER'),
  LOWER: otherCase('LOWER'),
  TRIM: trim('trim'),
  LTRIM: trim('ltrim'),
  RTRIM: trim('rtrim'),
  LENGTH: LENGTH_RULE,
  LEN: LENGTH_RULE,
  CHAR_LENGTH: { ...LENGTH_RULE, only: 'WAREHOUSE_TWO' },
  SUBSTR: SUBSTRING,
  SUBSTRING,
  LEFT: side('left'),
  RIGHT: side('right'),
  LPAD: pad('lpad'),
  RPAD: pad('rpad'),
  REPLACE: { arguments: [2, 3], warehouseArguments: { WAREHOUSE_TWO: [3, 3] }, write: replaceText },
  REVERSE: { arguments: [1, 1], write: reverse },
  CONCAT: { arguments: [1, 100], warehouseArguments: { WAREHOUSE_TWO: [2, 2] }, write: concat },
  CONCAT_WS: { arguments: [2, 100], only: one, write: concatWithSeparator },
  SPLIT_PART: { arguments: [3, 3], write: splitPart },
  CONTAINS: { ...plain('contains', 2, 2, BOOLEAN), only: one },
  STARTSWITH: { ...plain('starts_with', 2, 2, BOOLEAN), only: one },
  ENDSWITH: { ...plain('ends_with', 2, 2, BOOLEAN), only: one },
  CHARINDEX,
  POSITION: CHARINDEX,
  STRPOS: { ...indexOf(1), only: 'WAREHOUSE_TWO' },
  MD5: plain('md5', 1),
  SHA2: { arguments: [1, 2], write: sha2 },
  ASCII: { arguments: [1, 1], write: code },
  CHR: { arguments: [1, 1], write: character },
  INITCAP: { arguments: [1, 1], warehouseArguments: { WAREHOUSE_ONE: [1, 2] }, write: capitalize },
  REPEAT: { arguments: [2, 2], write: repeatText },
  TRANSLATE: plain('translate', 3),
};
