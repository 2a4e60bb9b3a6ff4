import { RE2JS } from 're2js';
import { BOOLEAN, decimal, TEXT, type Typed } from '../sql/typed.ts';
import { isOne, refusal } from '../sql/writing.ts';
import { type FunctionRule, literal, type TypedCall, type Rules, text } from './rule.ts';
import { checked, replacementText } from './text-sizes.ts';

/** Constructs that the two engines for regular expressions do not share. */
const NOT_SHARED = /\(\?[=!<]|\\[1-9]/;

/** Constructs of DuckDB's regular expressions that POSIX does not have: groups without a number, options and lazy repetitions. */
const NOT_POSIX = /\(\?|[*+?}][?+*]/;

/** Whether a pattern of POSIX, which is only asked whether it matches somewhere, means the same in DuckDB. */
export function isShared(source: string): boolean {
  return source !== '' && !NOT_SHARED.test(source) && !NOT_POSIX.test(source);
}

function patternOf(call: TypedCall): string | undefined {
  const value = call.values[1]?.text;
  return value === undefined || NOT_SHARED.test(value) ? undefined : text(call, 1);
}

/**
 * Refuses alternatives of which an earlier one is the beginning of a later one, such as `ab|abc`: engines take the first one
 * that matches, or the longest.
 */
function checkAlternatives(source: string, call: TypedCall): void {
  const open: string[][] = [['']];
  const finish = (alternatives: readonly string[]) => {
    const isShorter = alternatives.some((first, index) =>
      alternatives.slice(index + 1).some((later) => later !== first && later.startsWith(first)),
    );
    if (isShorter && alternatives.length > 1)
      throw refusal(
        'a regular expression with a shorter alternative first',
        call.at,
        call.writing,
        'write the longer one first',
      );
  };
  for (const [part] of source.matchAll(/\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|./gs)) {
    const alternatives = open.at(-1) ?? [''];
    if (part === '|') alternatives.push('');
    else if (part === '(') open.push(['']);
    else if (part === ')' && open.length > 1) {
      finish(alternatives);
      open.pop();
      addPart(open.at(-1) ?? [''], `(${alternatives.join('|')})`);
    } else addPart(alternatives, part);
  }
  finish(open[0] ?? []);
}

function addPart(alternatives: string[], part: string): void {
  alternatives[alternatives.length - 1] = `${alternatives.at(-1) ?? ''}${part}`;
}

/** Whether a pattern matches the empty text: engines differ in how often it then does so within a text. */
function matchesNothing(source: string): boolean {
  try {
    return RE2JS.compile(source).matcher('').find();
  } catch {
    // DuckDB says what is wrong with it.
    return false;
  }
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
function searched(call: TypedCall, index: number): string | undefined {
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
  return matchesNothing(source) ? undefined : `substr(${text(call, 0)}, ${position})`;
}

function regexpReplace(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  if (pattern === undefined || matchesNothing(call.values[1]?.text ?? '')) return undefined;
  checkAlternatives(call.values[1]?.text ?? '', call);
  const written = call.values.length > 2 ? call.values[2]?.text : '';
  // `$` refers to a group in kind 2, but is plain text in DuckDB.
  if (!isOne(call.writing) && (written === undefined || written.includes('$'))) return undefined;
  const isShort = written !== undefined && Buffer.byteLength(written) <= 60;
  if (call.values.length > 3) return isShort ? replacedFrom(call, pattern) : undefined;
  const replace = (value: string, by: string) => `regexp_replace(${value}, ${pattern}, ${by}, 'g')`;
  if (isShort) return { sql: replace(text(call, 0), replacementText(call)), type: TEXT };
  // Each character may be a match: counting them would take as long as replacing them.
  const size = 'strlen(given.a0) * CAST(strlen(given.a2) AS DOUBLE) / 60';
  return { sql: checked(call, size, replace('given.a0', 'given.a2')), type: TEXT };
}

/** REGEXP_REPLACE with a position; in kind 1 also with the match that is replaced, all (0) or the first one, and parameters. */
function replacedFrom(call: TypedCall, pattern: string): Typed | undefined {
  const rest = searched(call, 3);
  const hasOccurrence = isOne(call.writing) && call.values.length > 4;
  const occurrence = hasOccurrence ? literal(call, 4) : 0;
  const options = optionsOf(call, isOne(call.writing) ? 5 : 4, /^[ci]$/);
  if (rest === undefined || options === undefined || occurrence === undefined) return undefined;
  if (occurrence !== 0 && occurrence !== 1)
    throw refusal('REGEXP_REPLACE of a later match only', call.at, call.writing);
  const flags = `${occurrence === 0 ? 'g' : ''}${options.letters}`;
  const replaced = `regexp_replace(${rest}, ${pattern}, ${replacementText(call)}, '${flags}')`;
  const position = ordinal(call, 3) ?? 1;
  const before = position === 1 ? '' : `left(${text(call, 0)}, ${position - 1}) || `;
  return { sql: `(${before}${replaced})`, type: TEXT };
}

function regexpLike(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  const options = call.values.length > 2 ? call.values[2]?.text : 'c';
  if (pattern === undefined || (options !== 'c' && options !== 'i')) return undefined;
  return { sql: `regexp_full_match(${text(call, 0)}, ${pattern}, '${options}')`, type: BOOLEAN };
}

/** The n-th match from a position on, or a group of it; NULL if there is none. */
function regexpSubstring(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  if (pattern === undefined) return undefined;
  const source = call.values[1]?.text ?? '';
  checkAlternatives(source, call);
  const [rest, occurrence] = [searched(call, 2), ordinal(call, 3)];
  const options = optionsOf(call, 4, /^(?:c|i|e|ce|ec|ie|ei)$/);
  if (rest === undefined || occurrence === undefined || options === undefined) return undefined;
  if (occurrence > 1 && matchesNothing(source)) return undefined;
  const group = groupOf(call, source, options);
  if (group === undefined) return undefined;
  const [match, letters] = [`${rest}, ${pattern}`, `'${options.letters}'`];
  const first = `CASE WHEN regexp_matches(${match}, ${letters}) THEN regexp_extract(${match}, ${group}, ${letters}) END`;
  const later = `regexp_extract_all(${match}, ${group}, ${letters})[${occurrence}]`;
  return { sql: occurrence === 1 ? first : later, type: TEXT };
}

/**
 * The group that is asked for: 0 for the whole match, which the parameter `e` without groups means, too. Undefined for a group
 * that the pattern does not have; refused is one that may have no part in a match.
 */
function groupOf(call: TypedCall, source: string, { extracts }: Options): number | undefined {
  const groups = certainGroups(source);
  const asked = call.values.length > 5 ? ordinal(call, 5) : extracts && groups.length > 0 ? 1 : 0;
  if (asked === undefined) return undefined;
  if (asked > 0 && groups[asked - 1] === false)
    throw refusal('a group that may have no part in the match', call.at, call.writing);
  return asked <= groups.length ? asked : undefined;
}

/** For each group of a pattern: whether it has a part in every match. */
function certainGroups(source: string): readonly boolean[] {
  interface Open {
    /** Undefined for the whole pattern, and for a group without a number. */
    readonly number: number | undefined;
    readonly inside: number[];
    hasAlternatives: boolean;
  }
  const certain: boolean[] = [];
  const open: Open[] = [{ number: undefined, inside: [], hasAlternatives: false }];
  const refuse = (numbers: readonly number[]) => {
    for (const number of numbers) certain[number] = false;
  };
  const parts = source.match(/\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\(\?:|\)(?:[?*]|\{0)?|./gs) ?? [];
  for (const part of parts) {
    const group = open.at(-1);
    if (part === '(') {
      certain.push(true);
      open.push({ number: certain.length - 1, inside: [], hasAlternatives: false });
    } else if (part === '(?:') open.push({ number: undefined, inside: [], hasAlternatives: false });
    else if (part === '|' && group !== undefined) group.hasAlternatives = true;
    else if (part.startsWith(')') && open.length > 1 && group !== undefined) {
      open.pop();
      if (group.hasAlternatives) refuse(group.inside);
      const all = [...group.inside, ...(group.number === undefined ? [] : [group.number])];
      if (part.length > 1) refuse(all);
      open.at(-1)?.inside.push(...all);
    }
  }
  if (open[0]?.hasAlternatives === true) refuse(open[0].inside);
  return certain;
}

function regexpCount(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  const source = call.values[1]?.text ?? '';
  if (pattern === undefined || matchesNothing(source)) return undefined;
  checkAlternatives(source, call);
  const rest = searched(call, 2);
  const options = optionsOf(call, 3, /^[ci]$/);
  if (rest === undefined || options === undefined) return undefined;
  const sql = `len(regexp_extract_all(${rest}, ${pattern}, 0, '${options.letters}'))`;
  return { sql, type: decimal(18, 0), isInteger: true };
}

const kindOne = 'WAREHOUSE_ONE';
const REGEXP_LIKE: FunctionRule = { arguments: [2, 3], only: kindOne, write: regexpLike };

/** Functions with regular expressions. */
export const PATTERNS: Rules = {
  REGEXP_REPLACE: {
    arguments: [2, 6],
    warehouseArguments: { WAREHOUSE_TWO: [2, 5] },
    write: regexpReplace,
  },
  REGEXP_LIKE,
  RLIKE: REGEXP_LIKE,
  REGEXP_SUBSTR: { arguments: [2, 6], only: kindOne, write: regexpSubstring },
  REGEXP_COUNT: { arguments: [2, 4], only: kindOne, write: regexpCount },
};
