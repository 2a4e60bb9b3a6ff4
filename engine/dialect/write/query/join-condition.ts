import { SqlError } from '../../../core/refusal.ts';
import type { Expression, Join } from '../../parse/tree.ts';
import { expectBoolean } from '../casts/convert.ts';
import { has, markOuterReads, readsScope } from './correlation.ts';
import { isOne, type Names, NO_NAMES, refusal, type Visible, write, type Writing } from '../sql/writing.ts';

interface Side {
  readonly relations: readonly Visible[];
  readonly merged: Names['merged'];
}

const CORRELATED = 'the warehouse refuses it: join a subquery after FROM instead';

/** Translates the condition of ON. */
export function conditionText(
  { how }: Pick<Join, 'how'>,
  on: Expression,
  left: Side,
  right: Side,
  writing: Writing,
): string {
  if (how === 'FULL' && !isOne(writing)) refuseUnequal(on, left, right, writing);
  const names: Names = {
    relations: [...left.relations, ...right.relations],
    merged: new Map([...left.merged, ...right.merged]),
    aliases: new Map(),
    outer: writing.names.outer,
  };
  const since = markOuterReads(writing);
  const { sql } = expectBoolean(write(on, { ...writing, names }), on.at, writing);
  if (how !== 'INNER' && !isOne(writing) && readsScope(names, since, writing))
    throw refusal(`a correlated subquery in ON of a ${how} JOIN`, on.at, writing, CORRELATED);
  return sql;
}

/**
 * `WAREHOUSE_TWO` joins both sides fully only if each condition of ON compares a value of one side with a value of
 * the other side.
 */
function refuseUnequal(on: Expression, left: Side, right: Side, writing: Writing): void {
  if (on.kind === 'binary' && on.operator === 'AND') {
    refuseUnequal(on.left, left, right, writing);
    refuseUnequal(on.right, left, right, writing);
    return;
  }
  const sides = [left, right] as const;
  const isEqual =
    on.kind === 'binary' &&
    on.operator === '=' &&
    [sides, sides.toReversed()].some(
      ([a = left, b = right]) => isOf(on.left, a, writing) && isOf(on.right, b, writing),
    );
  if (!isEqual) throw refusal('FULL JOIN on a condition other than equality', on.at, writing, TWO_JOINS);
}

const TWO_JOINS =
  'the warehouse supports FULL JOIN only if each condition compares a value of one table with a value of the other table by =: write a LEFT JOIN, and add the unmatched rows of the right table with UNION ALL';

/** Whether a value has columns of this side, and of no other one. */
function isOf(value: Expression, { relations, merged }: Side, writing: Writing): boolean {
  if (!has(value, ({ kind }) => kind === 'column')) return false;
  const { session } = writing;
  const trial = { ...session, context: { ...session.context, missingColumn: undefined } };
  try {
    write(value, { ...writing, session: trial, names: { ...NO_NAMES, relations, merged } });
    return true;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}
