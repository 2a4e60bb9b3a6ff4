import type { Expression } from '../../parse/tree.ts';
import { SEMI_STRUCTURED } from '../functions/semi-structured.ts';
import { XML } from '../functions/xml.ts';
import { isOne, sqlError, write, type Writing } from '../sql/writing.ts';
import type { Typed } from '../sql/typed.ts';

/** The form to use instead of VALUES, which in `WAREHOUSE_ONE` accepts no semi-structured values. */
export type Instead = 'INSERT … SELECT' | 'SELECT … UNION ALL SELECT …';

/**
 * Translates a value in VALUES. In `WAREHOUSE_ONE`, VALUES accepts only constants, and no functions of
 * semi-structured data.
 * @throws SqlError for such a function, for a cast to a semi-structured type, and for any other value of such a type
 */
export function writeConstant(value: Expression, instead: Instead, writing: Writing): Typed {
  const typed = write(value, writing);
  if (!isOne(writing) || value.kind === 'subquery') return typed;
  const part = findPart(value);
  const isNamed = part !== undefined || typed.type.name === 'VARIANT';
  if (!isNamed) return typed;
  const what = part === undefined ? 'a semi-structured value' : nameOf(part);
  throw sqlError(
    `VALUES cannot contain ${what}, because the warehouse accepts only constants there; write ${instead}`,
    part?.at ?? value.at,
    writing,
  );
}

/** The first part of an expression that makes or reads semi-structured data; none inside of a subquery. */
function findPart(part: unknown): Expression | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (Array.isArray(part)) return firstOf(part);
  if ('tables' in part && 'body' in part) return undefined;
  if ('kind' in part && isSemiStructured(part as Expression)) return part as Expression;
  return firstOf(Object.values(part));
}

function firstOf(parts: readonly unknown[]): Expression | undefined {
  for (const part of parts) {
    const expression = findPart(part);
    if (expression !== undefined) return expression;
  }
  return undefined;
}

function isSemiStructured(node: Expression): boolean {
  if (node.kind === 'cast') return node.type.name === 'VARIANT';
  return (
    node.kind === 'call' && node.path === undefined && (node.name in SEMI_STRUCTURED || node.name in XML)
  );
}

function nameOf(node: Expression): string {
  if (node.kind === 'call') return node.name;
  const shape = node.kind === 'cast' && node.type.name === 'VARIANT' ? node.type.shape : undefined;
  return `a cast to ${shape ?? 'VARIANT'}`;
}
