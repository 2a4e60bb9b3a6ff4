import { nextConstant } from './next-constant.ts';
import { type FindSqlFaults, replaceRange, replaceToken, shownWords, type SqlFault } from './sql-fault.ts';
import { regionFrom, type SqlScript, splitList, type SqlToken } from './sql-structure.ts';

const comparing: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const types: ReadonlySet<string> = new Set(
  'NUMBER DECIMAL NUMERIC VARCHAR CHAR CHARACTER STRING TEXT TIMESTAMP TIMESTAMP_NTZ TIMESTAMP_LTZ TIMESTAMP_TZ TIME DATETIME BINARY FLOAT'.split(
    ' ',
  ),
);
/** Functions that give another value in place of NULL. */
const replacingNull: ReadonlySet<string> = new Set([
  'COALESCE',
  'NVL',
  'IFNULL',
  'NULLIF',
  'ZEROIFNULL',
  'NULLIFZERO',
]);

/** Changes of constants, of functions about NULL, and of choices between two values. */
export const findValueFaults: FindSqlFaults = (script, statement) =>
  statement.flatMap((token, index): readonly SqlFault[] => {
    if (token.isFixed || token.hasVariable) return [];
    if (token.kind === 'number') return numberFaults(token, statement, index);
    if (token.kind === 'text') return textFaults(token, statement, index);
    if (token.kind !== 'word' || statement[index + 1]?.raw !== '(') return [];
    return callFaults(script, token, statement, index);
  });

function numberFaults(token: SqlToken, statement: readonly SqlToken[], index: number): readonly SqlFault[] {
  const before = statement[index - 1];
  if (types.has(token.level.opener)) return decimalFaults(token, before);
  // A position of a column, and a place in a list of semi-structured data.
  const isPosition =
    (token.clause === 'ORDER' || token.clause === 'GROUP') && (before?.value === 'BY' || before?.raw === ',');
  if (isPosition || before?.raw === '[') return [];
  const next = nextConstant(token.raw);
  return next === undefined ? [] : [replaceToken('constant', token, next)];
}

/** `NUMBER(12, 2)` → `NUMBER(12, 0)`. */
function decimalFaults(token: SqlToken, before: SqlToken | undefined): readonly SqlFault[] {
  const isScale = before?.raw === ',' && ['NUMBER', 'DECIMAL', 'NUMERIC'].includes(token.level.opener);
  return isScale && token.raw !== '0' ? [replaceToken('decimals', token, '0')] : [];
}

/** Only texts that are compared, or that are the result of a branch: formats and patterns would not be valid any more. */
function textFaults(token: SqlToken, statement: readonly SqlToken[], index: number): readonly SqlFault[] {
  const [before, next] = [statement[index - 1], statement[index + 1]];
  const isCompared =
    comparing.has(before?.raw ?? '') ||
    comparing.has(next?.raw ?? '') ||
    (token.level.opener === 'IN' && (before?.raw === '(' || before?.raw === ',')) ||
    ['LIKE', 'ILIKE', 'BETWEEN', 'THEN', 'ELSE'].includes(before?.value ?? '') ||
    (before?.isBetweenAnd ?? false) ||
    (before?.value === 'WHEN' && token.level.isCase) ||
    (before?.value === 'DATE' && before.kind === 'word');
  const isAssigned = before?.raw === '=' && token.clause === 'SET';
  if ((!isCompared && !isAssigned) || !token.raw.startsWith("'")) return [];
  const inner = token.raw.slice(1, -1);
  const other = nextConstant(inner);
  return other === undefined ? [] : [replaceToken('constant', token, `'${other}'`)];
}

function callFaults(
  script: SqlScript,
  token: SqlToken,
  statement: readonly SqlToken[],
  index: number,
): readonly SqlFault[] {
  const open = statement[index + 1];
  const level = statement[index + 2]?.level;
  if (open === undefined || level === undefined || level.parent !== token.level) return [];
  const inside = regionFrom(statement, index + 2, level, () => false);
  const items = splitList(inside, level);
  const textOf = (item: readonly SqlToken[] | undefined) =>
    script.text.slice(item?.[0]?.start ?? 0, item?.at(-1)?.end ?? 0);
  const [first, second, third] = items;
  const close = statement[index + 2 + inside.length];
  if (close === undefined || first === undefined) return [];
  if (replacingNull.has(token.value)) {
    const from = first.at(-1)?.end ?? close.start;
    const edits = [
      { start: token.start, end: token.end, text: '' },
      ...(from < close.start ? [{ start: from, end: close.start, text: '' }] : []),
    ];
    const at = { start: token.start, end: close.end };
    const before = shownWords(script.text.slice(at.start, at.end));
    return [{ kind: 'null-handling', edits, before, after: shownWords(textOf(first)), at }];
  }
  if ((token.value !== 'IFF' && token.value !== 'NVL2') || second === undefined || third === undefined)
    return [];
  const [from, to] = [second[0], third.at(-1)];
  if (from === undefined || to === undefined) return [];
  const between = script.text.slice(second.at(-1)?.end, third[0]?.start);
  return [
    replaceRange('swapped-branches', script, [from, to], `${textOf(third)}${between}${textOf(second)}`),
  ];
}
