import { BOOLEAN, decimal, quoteText, TEXT, type Typed } from '../sql/typed.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';
import { certainGroups } from './certain-groups.ts';
import { readRegularExpression, type RegularExpression } from './regular-expression.ts';
import { type FunctionRule, literal, type TypedCall, type Rules, text } from './rule.ts';
import { checked, fitting, replacementText } from './text-sizes.ts';

interface Pattern extends RegularExpression {
  /** The pattern in DuckDB's SQL. */
  readonly sql: string;
}

/**
 * Parses the pattern of a function or an operator, which must be a literal. Throws Refusal for syntax that the
 * warehouse does not document.
 */
export function readPattern(value: Typed | undefined, at: number, writing: Writing): Pattern {
  if (value?.text === undefined) throw refusal('a regular expression that is not a literal', at, writing);
  const expression = readRegularExpression(value.text, writing.session.context.warehouse);
  const { undocumented } = expression;
  if (undocumented !== undefined)
    throw refusal(
      `${undocumented} in a regular expression`,
      at,
      writing,
      'the warehouse documents only POSIX syntax and some classes, such as \\d',
    );
  return { ...expression, sql: quoteText(value.text) };
}

/**
 * The pattern of a function that takes a part of a text: of several alternatives, engines take the first one that matches, or
 * the longest.
 */
function readSearched(call: TypedCall): Pattern {
  const pattern = readPattern(call.values[1], call.at, call.writing);
  if (pattern.hasShorterFirst)
    throw refusal(
      'a regular expression with a shorter alternative first',
      call.at,
      call.writing,
      'write the longer alternative first',
    );
  return pattern;
}

/** The options of a search: how letters are compared, and whether a part of the match is asked for. */
interface Options {
  /** As DuckDB writes it. */
  readonly letters: 'c' | 'i';
  readonly extracts: boolean;
}

/** The parameters of a search; undefined if they are not a literal. `m`, `s`, and several of one sort are refused. */
function optionsOf(call: TypedCall, index: number, known: RegExp): Options | undefined {
  const written = call.values.length > index ? call.values[index]?.text : 'c';
  if (written === undefined) return undefined;
  if (!known.test(written))
    throw refusal(`the parameters "${written}" of ${call.parsed.name}`, call.at, call.writing);
  return { letters: written.includes('i') ? 'i' : 'c', extracts: written.includes('e') };
}

/** A positive whole number as a literal; 1 if the call has no such argument. */
function ordinal(call: TypedCall, index: number): number | undefined {
  const value = call.values.length > index ? literal(call, index) : 1;
  return value !== undefined && value >= 1 ? value : undefined;
}

/** What depends on where the search begins: no page says whether it is the beginning of the text. */
const ANCHORED = /\^|\\[bBAG]/;

/**
 * The text from a position on; undefined if the pattern does not tell what is found there. It may have `^` in brackets.
 */
function searched(call: TypedCall, index: number, { mayBeEmpty }: Pattern): string | undefined {
  const position = ordinal(call, index);
  const source = call.values[1]?.text ?? '';
  if (position === undefined || position === 1) return position && text(call, 0);
  const isAnchored = ANCHORED.test(source.replaceAll(/\[\^?\]?(?:\\.|[^\]\\])*\]/g, ''));
  if (isAnchored)
    throw refusal(
      `a position in ${call.parsed.name} with ^ or a boundary in the pattern`,
      call.at,
      call.writing,
    );
  return mayBeEmpty ? undefined : `substr(${text(call, 0)}, ${position})`;
}

/** Engines differ in how often a pattern matches an empty text within a text. */
function refuseEmpty({ mayBeEmpty }: Pattern, { at, writing, parsed }: TypedCall): void {
  if (mayBeEmpty)
    throw refusal(
      `a regular expression that may match an empty text in ${parsed.name}`,
      at,
      writing,
      'use a regular expression that matches at least one character, such as a+ instead of a*',
    );
}

function regexpReplace(call: TypedCall): Typed | undefined {
  const pattern = readSearched(call);
  refuseEmpty(pattern, call);
  const written = call.values.length > 2 ? call.values[2]?.text : '';
  if (written === undefined && !isOne(call.writing)) return undefined;
  if (written !== undefined) checkReplacement(written, pattern, call);
  const isShort = written !== undefined && Buffer.byteLength(written) <= 60;
  if (call.values.length > 3) return isShort ? replacedFrom(call, pattern) : undefined;
  const replace = (value: string, by: string) => `regexp_replace(${value}, ${pattern.sql}, ${by}, 'g')`;
  if (isShort)
    return { sql: fitting(replace(text(call, 0), replacementText(call)), call.writing), type: TEXT };
  // Each character may be a match: counting them would take as long as replacing them.
  const size = 'strlen(given.a0) * CAST(strlen(given.a2) AS DOUBLE) / 60';
  const by = written === undefined ? withoutBackslash('given.a2') : 'given.a2';
  return { sql: fitting(checked(call, size, replace('given.a0', by)), call.writing), type: TEXT };
}

const BACKSLASH = 'a backslash in the replacement of REGEXP_REPLACE';

/**
 * `WAREHOUSE_ONE` documents references to groups, such as `\1`. `$` refers to a group in `WAREHOUSE_TWO`, but is
 * plain text in DuckDB.
 */
function checkReplacement(written: string, { groups }: Pattern, { at, writing }: TypedCall): void {
  if (!isOne(writing) && written.includes('$'))
    throw refusal('$ in the replacement of REGEXP_REPLACE', at, writing);
  for (const [reference, group = ''] of written.matchAll(/\\(\d*)/g)) {
    if (!isOne(writing) || !/^[1-9]$/.test(group))
      throw refusal(
        BACKSLASH,
        at,
        writing,
        isOne(writing) ? 'a replacement refers to a group with \\1 to \\9' : undefined,
      );
    if (Number(group) > groups)
      throw refusal(
        `the reference ${reference} to a group that the regular expression does not have`,
        at,
        writing,
      );
  }
}

function withoutBackslash(sql: string): string {
  const message = quoteText(`Millrace does not support ${BACKSLASH} that is not a literal`);
  return `CASE WHEN contains(${sql}, '\\') THEN error(${message}) ELSE ${sql} END`;
}

/**
 * REGEXP_REPLACE with a position; in `WAREHOUSE_ONE` also with the match that is replaced, all (0) or the first one,
 * and parameters.
 */
function replacedFrom(call: TypedCall, pattern: Pattern): Typed | undefined {
  const rest = searched(call, 3, pattern);
  const hasOccurrence = isOne(call.writing) && call.values.length > 4;
  const occurrence = hasOccurrence ? literal(call, 4) : 0;
  const options = optionsOf(call, isOne(call.writing) ? 5 : 4, /^[ci]$/);
  if (rest === undefined || options === undefined || occurrence === undefined) return undefined;
  if (occurrence !== 0 && occurrence !== 1)
    throw refusal('REGEXP_REPLACE of only a later match than the first', call.at, call.writing);
  const flags = `${occurrence === 0 ? 'g' : ''}${options.letters}`;
  const replaced = `regexp_replace(${rest}, ${pattern.sql}, ${replacementText(call)}, '${flags}')`;
  const position = ordinal(call, 3) ?? 1;
  const before = position === 1 ? '' : `left(${text(call, 0)}, ${position - 1}) || `;
  return { sql: fitting(`(${before}${replaced})`, call.writing), type: TEXT };
}

function regexpLike(call: TypedCall): Typed | undefined {
  const { sql } = readPattern(call.values[1], call.at, call.writing);
  const options = call.values.length > 2 ? call.values[2]?.text : 'c';
  if (options !== 'c' && options !== 'i') return undefined;
  return { sql: `regexp_full_match(${text(call, 0)}, ${sql}, '${options}')`, type: BOOLEAN };
}

/**
 * The n-th match from a position on, or a group of it. If there is none: NULL in `WAREHOUSE_ONE`, an empty text in
 * `WAREHOUSE_TWO`. No page says what an empty match gives.
 */
function regexpSubstring(call: TypedCall): Typed | undefined {
  const pattern = readSearched(call);
  const [rest, occurrence] = [searched(call, 2, pattern), ordinal(call, 3)];
  const options = optionsOf(call, 4, /^(?:c|i|e|ce|ec|ie|ei)$/);
  if (rest === undefined || occurrence === undefined || options === undefined) return undefined;
  if (occurrence > 1) refuseEmpty(pattern, call);
  const group = groupOf(call, options);
  if (group === undefined) return undefined;
  const [match, letters] = [`${rest}, ${pattern.sql}`, `'${options.letters}'`];
  const extracted = `regexp_extract(${match}, ${group}, ${letters})`;
  const whole = `regexp_extract(${match}, 0, ${letters})`;
  const message = quoteText('Millrace does not support REGEXP_SUBSTR if the match is empty');
  const found = pattern.mayBeEmpty
    ? `CASE WHEN ${whole} = '' THEN error(${message}) ELSE ${extracted} END`
    : extracted;
  const first = `CASE WHEN regexp_matches(${match}, ${letters}) THEN ${found} END`;
  const later = `regexp_extract_all(${match}, ${group}, ${letters})[${occurrence}]`;
  const sql = occurrence === 1 ? first : later;
  if (isOne(call.writing)) return { sql, type: TEXT };
  return { sql: `CASE WHEN ${text(call, 0)} IS NOT NULL THEN coalesce(${sql}, '') END`, type: TEXT };
}

/**
 * The group that is asked for: 0 for the whole match, which the parameter `e` without groups means, too. Undefined for a group
 * that the pattern does not have; refused is one that may have no part in a match.
 */
function groupOf(call: TypedCall, { extracts }: Options): number | undefined {
  const groups = certainGroups(call.values[1]?.text ?? '');
  const asked = call.values.length > 5 ? ordinal(call, 5) : extracts && groups.length > 0 ? 1 : 0;
  if (asked === undefined) return undefined;
  if (asked > 0 && groups[asked - 1] === false)
    throw refusal('a group that may have no part in the match', call.at, call.writing);
  return asked <= groups.length ? asked : undefined;
}

function regexpCount(call: TypedCall): Typed | undefined {
  const pattern = readSearched(call);
  refuseEmpty(pattern, call);
  const rest = searched(call, 2, pattern);
  const options = optionsOf(call, 3, /^[ci]$/);
  if (rest === undefined || options === undefined) return undefined;
  const sql = `len(regexp_extract_all(${rest}, ${pattern.sql}, 0, '${options.letters}'))`;
  return { sql, type: decimal(18, 0), isInteger: true };
}

const kindOne = 'WAREHOUSE_ONE';
const REGEXP_LIKE: FunctionRule = { arguments: [2, 3], only: kindOne, write: regexpLike };

/** Functions that search texts with regular expressions. */
export const PATTERNS: Rules = {
  REGEXP_REPLACE: {
    arguments: [2, 6],
    warehouseArguments: { WAREHOUSE_TWO: [2, 5] },
    write: regexpReplace,
  },
  REGEXP_LIKE,
  RLIKE: REGEXP_LIKE,
  REGEXP_SUBSTR: { arguments: [2, 6], warehouseArguments: { WAREHOUSE_TWO: [2, 5] }, write: regexpSubstring },
  REGEXP_COUNT: { arguments: [2, 4], only: kindOne, write: regexpCount },
};
