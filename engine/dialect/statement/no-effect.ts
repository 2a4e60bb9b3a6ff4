import type { Cursor } from '../parse/cursor.ts';

/** First words of statements that have no meaning on one machine. */
const NO_EFFECT: readonly (readonly string[])[] = [
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
const OF_TWO: readonly (readonly string[])[] = [['ANALYZE'], ['VACUUM']];

/** The words of a statement without an effect here; undefined for any other statement. */
export function noEffect(cursor: Cursor): string | undefined {
  const all = cursor.warehouse === 'WAREHOUSE_TWO' ? [...NO_EFFECT, ...OF_TWO] : NO_EFFECT;
  return all.find((words) => cursor.isWord(...words))?.join(' ');
}

/** The statements without an effect, by their first words, for the documentation. */
export function noEffectNames(): readonly string[] {
  return NO_EFFECT.map((words) => words.join(' '));
}
