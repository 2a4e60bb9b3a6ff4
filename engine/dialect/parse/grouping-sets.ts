import type { Expression, GroupingSets } from './tree.ts';
import type { Cursor } from './cursor.ts';

type Sets = readonly (readonly Expression[])[];

/** A cube of more expressions has thousands of sets. */
const MAX_CUBE = 7;

/**
 * Parses `ROLLUP (…)`, `CUBE (…)` or `GROUPING SETS (…)` after GROUP BY. Undefined if there is an expression instead.
 */
export function parseGroupingSets(cursor: Cursor): GroupingSets | undefined {
  const { at } = cursor;
  if (cursor.takeWord('GROUPING', 'SETS')) return { kind: 'grouping sets', at, sets: parseSets(cursor) };
  const isCall = cursor.isOperator('(', 1);
  if (isCall && cursor.takeWord('ROLLUP'))
    return { kind: 'grouping sets', at, sets: rollup(parseSets(cursor)) };
  if (!isCall || !cursor.takeWord('CUBE')) return undefined;
  const parts = parseSets(cursor);
  if (parts.length > MAX_CUBE) throw cursor.refusal(`a CUBE of more than ${MAX_CUBE} expressions`, at);
  return { kind: 'grouping sets', at, sets: cube(parts) };
}

/** A list whose items are expressions, or lists of them in parentheses. */
function parseSets(cursor: Cursor): Sets {
  return cursor.inParentheses(() =>
    cursor.list(() => {
      if (!cursor.isOperator('(')) return [cursor.expression()];
      return cursor.inParentheses(() =>
        cursor.isOperator(')') ? [] : cursor.list(() => cursor.expression()),
      );
    }),
  );
}

/** All parts, then one less from the right each time. */
function rollup(parts: Sets): Sets {
  return Array.from({ length: parts.length + 1 }, (_, left) => parts.slice(0, parts.length - left).flat());
}

function cube(parts: Sets): Sets {
  const [first, ...others] = parts;
  if (first === undefined) return [[]];
  const rest = cube(others);
  return [...rest.map((set) => [...first, ...set]), ...rest];
}
