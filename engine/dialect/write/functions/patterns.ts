import { RE2JS } from 're2js';
import { BOOLEAN, TEXT, type Typed } from '../sql/typed.ts';
import { isOne, refusal } from '../sql/writing.ts';
import { type FunctionRule, type Given, type Rules, text } from './rule.ts';
import { checked, third } from './text-sizes.ts';

/** Constructs that the two engines for regular expressions do not share. */
const NOT_SHARED = /\(\?[=!<]|\\[1-9]/;

function pattern(given: Given): string | undefined {
  const value = given.values[1]?.text;
  return value === undefined || NOT_SHARED.test(value) ? undefined : text(given, 1);
}

/**
 * Refuses alternatives of which an earlier one is the beginning of a later one, such as `ab|abc`: engines take the first one
 * that matches, or the longest.
 */
function checkAlternatives(source: string, given: Given): void {
  const open: string[][] = [['']];
  const finish = (alternatives: readonly string[]) => {
    const isShorter = alternatives.some((first, index) =>
      alternatives.slice(index + 1).some((later) => later !== first && later.startsWith(first)),
    );
    if (isShorter && alternatives.length > 1)
      throw refusal(
        'a regular expression with a shorter alternative first',
        given.at,
        given.writing,
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

function regexpReplace(given: Given): Typed | undefined {
  const wanted = pattern(given);
  if (wanted === undefined || matchesNothing(given.values[1]?.text ?? '')) return undefined;
  checkAlternatives(given.values[1]?.text ?? '', given);
  const replace = (value: string, by: string) => `regexp_replace(${value}, ${wanted}, ${by}, 'g')`;
  const written = given.values.length > 2 ? given.values[2]?.text : '';
  // A group in kind 2, where DuckDB has a text.
  if (!isOne(given.writing) && (written === undefined || written.includes('$'))) return undefined;
  if (written !== undefined && Buffer.byteLength(written) <= 60)
    return { sql: replace(text(given, 0), third(given)), type: TEXT };
  // Each character may be a match: counting them would take as long as replacing them.
  const size = 'strlen(given.a0) * CAST(strlen(given.a2) AS DOUBLE) / 60';
  return { sql: checked(given, size, replace('given.a0', 'given.a2')), type: TEXT };
}

function regexpLike(given: Given): Typed | undefined {
  const wanted = pattern(given);
  const options = given.values.length > 2 ? given.values[2]?.text : 'c';
  if (wanted === undefined || (options !== 'c' && options !== 'i')) return undefined;
  return { sql: `regexp_full_match(${text(given, 0)}, ${wanted}, '${options}')`, type: BOOLEAN };
}

function regexpSubstring(given: Given): Typed | undefined {
  const wanted = pattern(given);
  if (wanted === undefined) return undefined;
  checkAlternatives(given.values[1]?.text ?? '', given);
  const value = text(given, 0);
  return {
    sql: `CASE WHEN regexp_matches(${value}, ${wanted}) THEN regexp_extract(${value}, ${wanted}) END`,
    type: TEXT,
  };
}

const one = 'WAREHOUSE_ONE';
const REGEXP_LIKE: FunctionRule = { arguments: [2, 3], only: one, write: regexpLike };

/** Functions with regular expressions. */
export const PATTERNS: Rules = {
  REGEXP_REPLACE: {
    arguments: [2, 3],
    warehouseArguments: { WAREHOUSE_ONE: [2, 6], WAREHOUSE_TWO: [2, 5] },
    write: regexpReplace,
  },
  REGEXP_LIKE,
  RLIKE: REGEXP_LIKE,
  REGEXP_SUBSTR: {
    arguments: [2, 2],
    warehouseArguments: { WAREHOUSE_ONE: [2, 6] },
    only: one,
    write: regexpSubstring,
  },
};
