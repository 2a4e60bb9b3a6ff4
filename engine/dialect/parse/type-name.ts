import { upperAscii } from '../../core/ascii-case.ts';
import { meantQuestion } from '../../../lib/core/text/did-you-mean.ts';
import type { SqlType } from '../../core/sql-type.ts';
import type { Cursor } from './cursor.ts';

const TEXTS = new Set(['VARCHAR', 'TEXT', 'STRING', 'CHAR', 'CHARACTER', 'NVARCHAR', 'BPCHAR']);
const DECIMALS = new Set(['NUMBER', 'DECIMAL', 'NUMERIC', 'DEC']);
const FLOATS = new Set(['FLOAT', 'DOUBLE', 'FLOAT8']);
const FLOATS_OF_ONE = new Set(['REAL', 'FLOAT4']);
const WHOLE = new Map<string, 'SMALLINT' | 'INTEGER' | 'BIGINT'>([
  ['SMALLINT', 'SMALLINT'],
  ['INT2', 'SMALLINT'],
  ['INT', 'INTEGER'],
  ['INTEGER', 'INTEGER'],
  ['INT4', 'INTEGER'],
  ['BIGINT', 'BIGINT'],
  ['INT8', 'BIGINT'],
]);
const WHOLE_OF_ONE = new Set(['INT', 'INTEGER', 'BIGINT', 'SMALLINT', 'TINYINT', 'BYTEINT']);
const VARIANTS = new Map([
  ['VARIANT', 'WAREHOUSE_ONE'],
  ['OBJECT', 'WAREHOUSE_ONE'],
  ['ARRAY', 'WAREHOUSE_ONE'],
  ['SUPER', 'WAREHOUSE_TWO'],
]);
const PLAIN = new Map<string, SqlType>([
  ['BOOLEAN', { name: 'BOOLEAN' }],
  ['BOOL', { name: 'BOOLEAN' }],
  ['DATE', { name: 'DATE' }],
  ['TIME', { name: 'TIME' }],
  ['TIMESTAMP', { name: 'TIMESTAMP' }],
  ['TIMESTAMP_NTZ', { name: 'TIMESTAMP' }],
  ['TIMESTAMPNTZ', { name: 'TIMESTAMP' }],
  ['DATETIME', { name: 'TIMESTAMP' }],
  ['TIMESTAMP_LTZ', { name: 'TIMESTAMP_TZ', isUtc: true, isLocal: true }],
  ['TIMESTAMP_TZ', { name: 'TIMESTAMP_TZ' }],
  ['TIMESTAMPTZ', { name: 'TIMESTAMP_TZ' }],
  ['BINARY', { name: 'BINARY' }],
  ['VARBINARY', { name: 'BINARY' }],
]);

/** Types that `WAREHOUSE_TWO` has under another name; tests and seeds may use either. */
const OTHER_NAMES_OF_TWO = new Map([
  ['DOUBLE', 'DOUBLE PRECISION'],
  ['TIMESTAMP_NTZ', 'TIMESTAMP'],
  ['TIMESTAMPNTZ', 'TIMESTAMP'],
  ['TIMESTAMP_TZ', 'TIMESTAMPTZ'],
  ['TIMESTAMP_LTZ', 'TIMESTAMPTZ'],
]);

/** Parses the name of a type in SQL of the warehouse. */
export function parseType(cursor: Cursor): SqlType {
  const token = cursor.peek();
  const other = token.kind === 'word' ? OTHER_NAMES_OF_TWO.get(token.value) : undefined;
  const isDouble = cursor.isWord('DOUBLE', 'PRECISION');
  if (other !== undefined && !isDouble && cursor.warehouse === 'WAREHOUSE_TWO')
    throw cursor.wrong(`the warehouse has no type ${token.value}: write ${other}`);
  return parseAnyType(cursor);
}

/**
 * Parses the name of a type with its size, in SQL or in a test file. Throws Refusal if the type is not in the list of
 * supported types.
 */
export function parseAnyType(cursor: Cursor): SqlType {
  const { at } = cursor;
  const word = upperAscii(cursor.label().text);
  const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
  if (!isOne && word === 'STRING')
    throw cursor.refusal('the type STRING', at, 'write VARCHAR(length) or TEXT');
  if (TEXTS.has(word)) return textType(cursor, word, at);
  if (DECIMALS.has(word) && (isOne || word !== 'NUMBER')) return decimalType(cursor, at);
  if (FLOATS.has(word) || (isOne && FLOATS_OF_ONE.has(word))) {
    if (word === 'DOUBLE') cursor.takeWord('PRECISION');
    return { name: 'FLOAT' };
  }
  if (isOne && WHOLE_OF_ONE.has(word)) return { name: 'NUMBER', precision: 38, scale: 0 };
  const whole = WHOLE.get(word);
  if (!isOne && whole !== undefined) return { name: whole };
  if ((word === 'ARRAY' || word === 'OBJECT') && isOne && cursor.isOperator('('))
    throw cursor.refusal(`${word} with types of its parts`, at, `write ${word}`);
  if (VARIANTS.get(word) === cursor.warehouse)
    return word === 'ARRAY' || word === 'OBJECT' ? { name: 'VARIANT', shape: word } : { name: 'VARIANT' };
  const plain = PLAIN.get(word);
  if (plain === undefined) throw cursor.refusal(`the type ${word}`, at, typeHint(word, isOne));
  return plainType(cursor, plain, word, at);
}

/** The longest text that a column can have: characters in `WAREHOUSE_ONE`, bytes in `WAREHOUSE_TWO`. */
const LONGEST = { WAREHOUSE_ONE: 134_217_728, WAREHOUSE_TWO: 65_535 } as const;
/** The bytes of a column of `WAREHOUSE_TWO` whose type is VARCHAR without a length. */
const PLAIN_LENGTH = 256;

/**
 * Parses the type of a column in CREATE TABLE. In `WAREHOUSE_TWO`, a text type without a length has a maximum length
 * here, but not in a cast.
 */
export function parseColumnType(cursor: Cursor): SqlType {
  const type = parseType(cursor);
  const isPlain = type.name === 'VARCHAR' && type.length === undefined;
  return isPlain && cursor.warehouse === 'WAREHOUSE_TWO' ? { ...type, length: PLAIN_LENGTH } : type;
}

/** One word for each type; the other words mean the same types. */
const COMMON = ['VARCHAR', 'FLOAT', 'BOOLEAN', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ', 'BINARY'];
const COMMON_OF_ONE = ['NUMBER(precision, scale)', ...COMMON, 'VARIANT'];
const COMMON_OF_TWO = ['DECIMAL(precision, scale)', 'SMALLINT', 'INTEGER', 'BIGINT', ...COMMON, 'SUPER'];

/** The reason why geographic types and functions are refused. */
export const GEOGRAPHY_HINT = 'only the warehouse can compute with geographic shapes: mock the component';

function typeHint(word: string, isOne: boolean): string {
  const common = isOne ? COMMON_OF_ONE : COMMON_OF_TWO;
  const names = common.map((type) => type.replace(/\(.*/, ''));
  if (/^GEO(?:GRAPHY|METRY)$/.test(word)) return GEOGRAPHY_HINT;
  return meantQuestion(word, names) ?? `known types: ${common.join(', ')}`;
}

function textType(cursor: Cursor, word: string, at: number): SqlType {
  const isVarying = cursor.takeWord('VARYING');
  const isShort = word.startsWith('CHAR') && !isVarying;
  const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
  if (word === 'BPCHAR')
    throw cursor.refusal(
      'the type BPCHAR',
      at,
      isOne ? 'write VARCHAR' : 'BPCHAR pads texts with blanks; use VARCHAR',
    );
  const length = cursor.isOperator('(') ? cursor.inParentheses(() => textLength(cursor)) : undefined;
  if (isShort && !isOne)
    throw cursor.refusal('the type CHAR', cursor.at, 'CHAR pads texts with blanks; use VARCHAR');
  const longest = LONGEST[cursor.warehouse];
  if (length !== undefined && (length < 1 || length > longest))
    throw cursor.refusal(`${word}(${length})`, at, `write a length from 1 to ${longest}`);
  if (length !== undefined) return { name: 'VARCHAR', length };
  return { name: 'VARCHAR', length: isShort ? 1 : undefined };
}

/** `WAREHOUSE_TWO` has MAX for the longest. */
function textLength(cursor: Cursor): number {
  const isLongest = cursor.warehouse === 'WAREHOUSE_TWO' && cursor.takeWord('MAX');
  return isLongest ? LONGEST.WAREHOUSE_TWO : cursor.integer();
}

function decimalType(cursor: Cursor, at: number): SqlType {
  const sizes = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.list(() => cursor.integer())) : [];
  const [precision = cursor.warehouse === 'WAREHOUSE_ONE' ? 38 : 18, scale = 0] = sizes;
  if (sizes.length > 2)
    throw cursor.wrong(`a decimal type has a precision and a scale, not ${sizes.length} sizes`, at);
  // Both kinds allow at most 37 decimal places.
  if (precision < 1 || precision > 38 || scale > precision || scale > 37)
    throw cursor.refusal(`NUMBER(${precision}, ${scale})`, at);
  return { name: 'NUMBER', precision, scale };
}

function plainType(cursor: Cursor, type: SqlType, word: string, at: number): SqlType {
  if (cursor.isOperator('(')) {
    const digits = cursor.inParentheses(() => cursor.integer());
    if (type.name === 'BINARY' || (digits !== 6 && digits !== 9))
      throw cursor.refusal(`${word}(${digits})`, at, type.name === 'BINARY' ? `write ${word}` : undefined);
  }
  if (cursor.takeWord('WITHOUT', 'TIME', 'ZONE')) return type;
  if (cursor.takeWord('WITH', 'TIME', 'ZONE')) {
    if (word !== 'TIMESTAMP') throw cursor.refusal(`${word} WITH TIME ZONE`, at);
    return { name: 'TIMESTAMP_TZ' };
  }
  return type;
}
