import type { WarehouseKind } from '../../core/sql-type.ts';
import type { Cursor } from '../parse/cursor.ts';

/** First words of statements of `WAREHOUSE_ONE` that have no meaning on one machine. */
const OF_ONE: readonly (readonly string[])[] = [
  ['USE', 'ROLE'],
  ['USE', 'SECONDARY'],
  ['USE', 'WAREHOUSE'],
  ['GRANT'],
  ['REVOKE'],
  ['COMMENT'],
  ...['ROLE', 'USER', 'STAGE', 'TASK', 'WAREHOUSE'].flatMap((what) => [
    ['CREATE', what],
    ['CREATE', 'OR', 'REPLACE', what],
    ['ALTER', what],
    ['DROP', what],
  ]),
  ['CREATE', 'FILE', 'FORMAT'],
  ['CREATE', 'OR', 'REPLACE', 'FILE', 'FORMAT'],
  ['DROP', 'FILE', 'FORMAT'],
  ['ALTER', 'SESSION', 'SET', 'QUERY_TAG'],
  ['ALTER', 'SESSION', 'UNSET', 'QUERY_TAG'],
];
/** First words of statements of `WAREHOUSE_TWO` that have no meaning on one machine. */
const OF_TWO: readonly (readonly string[])[] = [
  ['GRANT'],
  ['REVOKE'],
  ['COMMENT'],
  ...['ROLE', 'USER'].flatMap((what) => [
    ['CREATE', what],
    ['ALTER', what],
    ['DROP', what],
  ]),
  ['ANALYZE'],
  ['VACUUM'],
];

function listOf(warehouse: WarehouseKind): readonly (readonly string[])[] {
  return warehouse === 'WAREHOUSE_ONE' ? OF_ONE : OF_TWO;
}

/** The words that name a statement without an effect on a single machine. Undefined for any other statement. */
export function noEffect(cursor: Cursor): string | undefined {
  return listOf(cursor.warehouse)
    .find((words) => cursor.isWord(...words))
    ?.join(' ');
}

/** The statements that have no effect on a single machine, by their first words, for the documentation. */
export function noEffectNames(warehouse: WarehouseKind): readonly string[] {
  return listOf(warehouse).map((words) => words.join(' '));
}
