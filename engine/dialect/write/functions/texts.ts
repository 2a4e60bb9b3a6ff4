import { LARGE_TEXT } from '../../../duckdb/values/functions.ts';
import { BOOLEAN, decimal, TEXT, type Typed } from '../sql/typed.ts';
import { joinTexts } from '../operators/join-texts.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';
import { type FunctionRule, type TypedCall, literal, type Rules, text } from './rule.ts';
import { bounded, characters, checked, fitting, replacementText, TRANSLATE } from './text-sizes.ts';

const LENGTH = decimal(18, 0);

/** A function of texts that DuckDB has with the same meaning. */
function plain(name: string, least: number, most = least, type = TEXT): FunctionRule {
  return {
    arguments: [least, most],
    write: (call) => ({
      sql: `${name}(${call.values.map((_, index) => text(call, index)).join(', ')})`,
      type,
    }),
  };
}

/** Without characters, only spaces are removed; DuckDB's own function would remove all blanks of Unicode. */
function trim(name: string): FunctionRule {
  return {
    arguments: [1, 2],
    write: (call) => {
      const removed = call.values.length > 1 ? text(call, 1) : "' '";
      return { sql: `${name}(${text(call, 0)}, ${removed})`, type: TEXT };
    },
  };
}

function length(call: TypedCall): Typed {
  const type = isOne(call.writing) ? LENGTH : { name: 'INTEGER' as const };
  return { sql: `length(${text(call, 0)})`, type, isInteger: true };
}

/** A whole number, or 0 if it is negative. Not `greatest`: DuckDB's ignores NULL, and NULL must stay NULL. */
function atLeastZero(call: TypedCall, index: number): string {
  const literalCount = literal(call, index);
  if (literalCount !== undefined) return String(Math.max(literalCount, 0));
  const count = characters(call, index);
  return `CASE WHEN ${count} < 0 THEN 0 ELSE ${count} END`;
}

/** A whole number that must not be negative. */
function notNegative(call: TypedCall, index: number, name: string): string {
  const count = characters(call, index);
  if (literal(call, index) !== undefined) return count;
  const message = `Millrace does not support ${name} with a negative number`;
  return `CASE WHEN ${count} < 0 THEN error('${message}') ELSE ${count} END`;
}

function substring(call: TypedCall): Typed | undefined {
  if (!isOne(call.writing)) return substringOfTwo(call);
  const start = literal(call, 1);
  const count = call.values.length > 2 ? `, ${atLeastZero(call, 2)}` : '';
  const value = text(call, 0);
  if (start !== undefined && start >= 0)
    return { sql: `substring(${value}, ${start || 1}${count})`, type: TEXT };
  const position = characters(call, 1);
  // For a position before the first character, DuckDB begins with the first one, but the warehouse finds nothing.
  const within = `CASE WHEN ${position} < - length(${value}) THEN '' ELSE ${value} END`;
  const from = start ?? `CASE WHEN ${position} = 0 THEN 1 ELSE ${position} END`;
  return { sql: `substring(${within}, ${from}${count})`, type: TEXT };
}

/** The characters from a position, which may be before the first one: the number of characters counts from there. */
function substringOfTwo(call: TypedCall): Typed | undefined {
  const value = text(call, 0);
  const hasCount = call.values.length > 2;
  // The warehouse refuses a negative number.
  if (hasCount && (literal(call, 2) ?? 0) < 0) return undefined;
  const count = hasCount ? notNegative(call, 2, 'SUBSTRING') : undefined;
  const sql = computedOnce(characters(call, 1), call.writing, (start) => {
    const first = `CASE WHEN ${start} < 1 THEN 1 ELSE ${start} END`;
    if (count === undefined) return `substring(${value}, ${first})`;
    const end = `${start} + ${count}`;
    const rest = `CASE WHEN ${start} >= 1 THEN ${count} WHEN ${end} > 1 THEN ${end} - 1 WHEN ${end} <= 1 THEN 0 END`;
    return `substring(${value}, ${first}, ${rest})`;
  });
  return { sql, type: TEXT };
}

/** By code points, as the warehouse does; DuckDB's own function keeps a letter and its accent together. */
function reverse(call: TypedCall): Typed {
  const points = `regexp_extract_all(${text(call, 0)}, '(?s).')`;
  return { sql: `array_to_string(list_reverse(${points}), '')`, type: TEXT };
}

function side(name: string): FunctionRule {
  return {
    arguments: [2, 2],
    write: (call) => {
      // Only one kind documents the meaning of a negative number.
      const isKnown = isOne(call.writing) || (literal(call, 1) ?? 0) >= 0;
      const count = isOne(call.writing) ? atLeastZero(call, 1) : notNegative(call, 1, name.toUpperCase());
      return isKnown ? { sql: `${name}(${text(call, 0)}, ${count})`, type: TEXT } : undefined;
    },
  };
}

function pad(name: string): FunctionRule {
  return {
    arguments: [2, 3],
    write: (call) => {
      const fill = call.values.length > 2 ? text(call, 2) : "' '";
      const literalLength = literal(call, 1);
      const targetLength = atLeastZero(call, 1);
      const isShort = literalLength !== undefined && literalLength <= LARGE_TEXT;
      // DuckDB computes a size that is the same in all rows once: it must depend on the row.
      const size = `${targetLength} + least(strlen(${text(call, 0)}), 0)`;
      const count = isShort ? targetLength : bounded(call, targetLength, size);
      const sql = `${name}(${text(call, 0)}, CAST(${count} AS INTEGER), ${fill})`;
      return { sql: isShort ? sql : fitting(sql, call.writing), type: TEXT };
    },
  };
}

/** NULL if one of them is NULL. */
function concat({ values, at, writing }: TypedCall): Typed {
  return joinTexts(values, at, writing);
}

function concatWithSeparator({ values, at, writing }: TypedCall): Typed {
  const [separator, ...parts] = values;
  if (separator === undefined) throw new Error('no separator');
  const between = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return joinTexts(between, at, writing);
}

function splitPart(call: TypedCall): Typed | undefined {
  const part = literal(call, 2);
  if (part === undefined || (!isOne(call.writing) && part < 1)) return undefined;
  const [value, separator] = [text(call, 0), text(call, 1)];
  const split = `split_part(${value}, ${separator}, ${part || 1})`;
  const literalSeparator = call.values[1]?.text;
  if (literalSeparator === undefined ? !isOne(call.writing) : literalSeparator !== '')
    return { sql: split, type: TEXT };
  // DuckDB would split between all characters.
  if (!isOne(call.writing)) return undefined;
  const unsplit = Math.abs(part || 1) === 1 ? value : `CASE WHEN ${value} IS NOT NULL THEN '' END`;
  return { sql: `CASE WHEN ${separator} = '' THEN ${unsplit} ELSE ${split} END`, type: TEXT };
}

function indexOf(needle: number): FunctionRule {
  return {
    arguments: [2, 2],
    write: (call) => {
      const [part, whole] = [text(call, needle), text(call, 1 - needle)];
      const type = isOne(call.writing) ? LENGTH : { name: 'INTEGER' as const };
      if (call.values.length === 2) return { sql: `instr(${whole}, ${part})`, type, isInteger: true };
      const sql = indexFrom(call, part, whole);
      return sql === undefined ? undefined : { sql, type, isInteger: true };
    },
  };
}

/** The position in the whole text, from a start that is a literal. */
function indexFrom(call: TypedCall, part: string, whole: string): string | undefined {
  const start = literal(call, 2);
  const literalPart = call.values[0]?.text;
  if (start === undefined || start < 1 || literalPart === undefined || literalPart === '') return undefined;
  const position = `instr(substring(${whole}, ${start}), ${part})`;
  return `CASE ${position} WHEN 0 THEN 0 ELSE ${position} + ${start - 1} END`;
}

function replaceText(call: TypedCall): Typed {
  const [from, to] = [call.values[1]?.text, call.values.length > 2 ? call.values[2]?.text : ''];
  const cannotGrow =
    from !== undefined && to !== undefined && Buffer.byteLength(to) <= Buffer.byteLength(from);
  if (cannotGrow)
    return { sql: `replace(${text(call, 0)}, ${text(call, 1)}, ${replacementText(call)})`, type: TEXT };
  const matches = `(strlen(given.a0) - strlen(replace(given.a0, given.a1, ''))) / greatest(strlen(given.a1), 1)`;
  const size = `strlen(given.a0) + ${matches} * CAST(strlen(given.a2) - strlen(given.a1) AS DOUBLE)`;
  return { sql: checked(call, size, 'replace(given.a0, given.a1, given.a2)'), type: TEXT };
}

function sha2(call: TypedCall): Typed | undefined {
  const bits = call.values.length > 1 ? literal(call, 1) : 256;
  return bits === 256 ? { sql: `sha256(${text(call, 0)})`, type: TEXT } : undefined;
}

function code(call: TypedCall): Typed {
  const value = text(call, 0);
  const type = isOne(call.writing) ? LENGTH : { name: 'INTEGER' as const };
  return { sql: `CASE WHEN ${value} = '' THEN 0 ELSE unicode(${value}) END`, type, isInteger: true };
}

/** The characters between words in one kind. In the other kind, these are all characters except letters and digits. */
const DELIMITERS = '\\s\\v!?@"^#$&~_,.:;+\\-*%/|\\\\\\[\\](){}<>';

/** The first letter of each word in upper case, the others in lower case. */
function capitalize(call: TypedCall): Typed {
  const [word, between] = isOne(call.writing)
    ? [`[^${DELIMITERS}]+`, `[${DELIMITERS}]+`]
    : ['[\\p{L}\\p{N}]+', '[^\\p{L}\\p{N}]+'];
  const plainLetters = withoutSpecial('INITCAP', text(call, 0), call.writing, (value) => value);
  const words = `regexp_extract_all(lower(${plainLetters}), '${word}|${between}')`;
  return {
    sql: `CASE WHEN ${text(call, 0)} IS NOT NULL THEN array_to_string(list_transform(${words}, lambda word: upper(left(word, 1)) || substr(word, 2)), '') END`,
    type: TEXT,
  };
}

function repeatText(call: TypedCall): Typed {
  const literalCount = literal(call, 1);
  if (literalCount !== undefined && literalCount < 0)
    throw refusal('REPEAT with a negative number', call.at, call.writing);
  const [value, count] = [text(call, 0), notNegative(call, 1, 'REPEAT')];
  const size = `strlen(${value}) * CAST(${count} AS DOUBLE)`;
  return { sql: `repeat(${value}, ${bounded(call, count, size)})`, type: TEXT };
}

/** `WAREHOUSE_TWO` documents NULL for a number beyond ASCII. No text can have the character 0 here. */
function character(call: TypedCall): Typed {
  const point = `CAST(${characters(call, 0)} AS INTEGER)`;
  const most = isOne(call.writing) ? 0x10_ff_ff : 0x7f;
  const message = `Millrace does not support CHR of a number that is not from 1 to ${most}`;
  return {
    sql: `CASE WHEN ${point} NOT BETWEEN 1 AND ${most} THEN error('${message}') ELSE chr(${point}) END`,
    type: TEXT,
  };
}

/** Letters that become several letters in the other case, in all or in some languages. */
const SPECIAL = 'ßŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒΐῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗİ';

function otherCase(name: 'UPPER' | 'LOWER'): FunctionRule {
  return {
    arguments: [1, 1],
    write: (call) => {
      const change = (value: string) => `${name.toLowerCase()}(${value})`;
      const value = text(call, 0);
      const sql = call.values[0]?.hasPlainLetters
        ? change(value)
        : withoutSpecial(name, value, call.writing, change);
      return { sql, type: TEXT, hasPlainLetters: true };
    },
  };
}

function withoutSpecial(
  name: string,
  textSql: string,
  writing: Writing,
  use: (value: string) => string,
): string {
  const message = `Millrace does not support ${name} of a text that contains a letter such as ß or İ, whose upper or lower case form is not a single letter`;
  return computedOnce(textSql, writing, (value) => {
    const isSpecial = `strlen(${value}) <> length(${value}) AND regexp_matches(${value}, '[${SPECIAL}]')`;
    return `CASE WHEN ${isSpecial} THEN error('${message}') ELSE ${use(value)} END`;
  });
}

const kindOne = 'WAREHOUSE_ONE';
const LENGTH_RULE: FunctionRule = { arguments: [1, 1], write: length };
const CHARINDEX: FunctionRule = {
  ...indexOf(0),
  arguments: [2, 3],
  warehouseArguments: { WAREHOUSE_TWO: [2, 2] },
};
const SUBSTRING: FunctionRule = { arguments: [2, 3], write: substring };

/** Functions that compute with texts. */
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
  CONCAT: { arguments: [1, Infinity], warehouseArguments: { WAREHOUSE_TWO: [2, 2] }, write: concat },
  CONCAT_WS: { arguments: [2, Infinity], only: kindOne, write: concatWithSeparator },
  SPLIT_PART: { arguments: [3, 3], write: splitPart },
  CONTAINS: { ...plain('contains', 2, 2, BOOLEAN), only: kindOne },
  STARTSWITH: { ...plain('starts_with', 2, 2, BOOLEAN), only: kindOne },
  ENDSWITH: { ...plain('ends_with', 2, 2, BOOLEAN), only: kindOne },
  CHARINDEX,
  POSITION: CHARINDEX,
  STRPOS: { ...indexOf(1), only: 'WAREHOUSE_TWO' },
  MD5: plain('md5', 1),
  SHA2: { arguments: [1, 2], write: sha2 },
  ASCII: { arguments: [1, 1], write: code },
  CHR: { arguments: [1, 1], write: character },
  INITCAP: { arguments: [1, 1], warehouseArguments: { WAREHOUSE_ONE: [1, 2] }, write: capitalize },
  REPEAT: { arguments: [2, 2], write: repeatText },
  TRANSLATE,
};
