import { RE2JS } from 're2js';
import { BOOLEAN, TEXT, type Typed } from '../sql/typed.ts';
import { isOne, refusal } from '../sql/writing.ts';
import { type FunctionRule, type TypedCall, type Rules, text } from './rule.ts';
import { checked, replacementText } from './text-sizes.ts';

/** Constructs that the two engines for regular expressions do not share. */
const NOT_SHARED = /\(\?[=!<]|\\[1-9]/;

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

function regexpReplace(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  if (pattern === undefined || matchesNothing(call.values[1]?.text ?? '')) return undefined;
  checkAlternatives(call.values[1]?.text ?? '', call);
  const replace = (value: string, by: string) => `regexp_replace(${value}, ${pattern}, ${by}, 'g')`;
  const written = call.values.length > 2 ? call.values[2]?.text : '';
  // `$` refers to a group in kind 2, but is plain text in DuckDB.
  if (!isOne(call.writing) && (written === undefined || written.includes('$'))) return undefined;
  if (written !== undefined && Buffer.byteLength(written) <= 60)
    return { sql: replace(text(call, 0), replacementText(call)), type: TEXT };
  // Each character may be a match: counting them would take as long as replacing them.
  const size = 'strlen(given.a0) * CAST(strlen(given.a2) AS DOUBLE) / 60';
  return { sql: checked(call, size, replace('given.a0', 'given.a2')), type: TEXT };
}

function regexpLike(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  const options = call.values.length > 2 ? call.values[2]?.text : 'c';
  if (pattern === undefined || (options !== 'c' && options !== 'i')) return undefined;
  return { sql: `regexp_full_match(${text(call, 0)}, ${pattern}, '${options}')`, type: BOOLEAN };
}

function regexpSubstring(call: TypedCall): Typed | undefined {
  const pattern = patternOf(call);
  if (pattern === undefined) return undefined;
  checkAlternatives(call.values[1]?.text ?? '', call);
  const value = text(call, 0);
  return {
    sql: `CASE WHEN regexp_matches(${value}, ${pattern}) THEN regexp_extract(${value}, ${pattern}) END`,
    type: TEXT,
  };
}

const kindOne = 'WAREHOUSE_ONE';
const REGEXP_LIKE: FunctionRule = { arguments: [2, 3], only: kindOne, write: regexpLike };

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
    only: kindOne,
    write: regexpSubstring,
  },
};
