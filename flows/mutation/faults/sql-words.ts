import type { FaultKind } from './fault-kinds.ts';
import { type FindSqlFaults, replaceRange, replaceToken, type SqlFault } from './sql-fault.ts';
import type { SqlScript, SqlToken } from './sql-structure.ts';

const comparisons: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

/** Functions by their names, with the one that replaces them. */
const functions: Readonly<Record<string, readonly [FaultKind, string]>> = {
  SUM: ['aggregate', 'MAX'],
  MAX: ['aggregate', 'MIN'],
  MIN: ['aggregate', 'MAX'],
  AVG: ['aggregate', 'SUM'],
  GREATEST: ['comparison', 'LEAST'],
  LEAST: ['comparison', 'GREATEST'],
  ROW_NUMBER: ['window', 'RANK'],
  RANK: ['window', 'DENSE_RANK'],
  DENSE_RANK: ['window', 'RANK'],
  LEAD: ['window', 'LAG'],
  LAG: ['window', 'LEAD'],
  FIRST_VALUE: ['window', 'LAST_VALUE'],
  LAST_VALUE: ['window', 'FIRST_VALUE'],
};

const setOperators: Readonly<Record<string, string>> = {
  EXCEPT: 'INTERSECT',
  MINUS: 'INTERSECT',
  INTERSECT: 'EXCEPT',
};

/** Words after which an operand begins, so that `-` after one is a sign and `*` means all columns. */
const beforeOperand: ReadonlySet<string> = new Set(
  (
    'SELECT DISTINCT ALL AND OR NOT WHERE HAVING QUALIFY ON WHEN THEN ELSE IN LIKE ILIKE BETWEEN BY CASE RETURN ' +
    'LIMIT OFFSET INTERVAL AS IS FROM SET VALUES USING TOP RETURNING'
  ).split(' '),
);

/** Changes of single words and operators. */
export const findWordFaults: FindSqlFaults = (script, statement) =>
  statement.flatMap((token, index): readonly SqlFault[] => {
    if (token.isFixed || token.hasVariable) return [];
    const near = { before: statement[index - 1], next: statement[index + 1], after: statement[index + 2] };
    if (token.kind === 'operator') return operatorFaults(token, near);
    if (token.kind !== 'word' || token.value === '') return [];
    return [
      ...functionFaults(token, near),
      ...joinFaults(script, token, statement, index),
      ...logicFaults(script, token, near),
      ...rowFaults(script, token, near),
    ];
  });

interface Near {
  readonly before: SqlToken | undefined;
  readonly next: SqlToken | undefined;
  readonly after: SqlToken | undefined;
}

function operatorFaults(token: SqlToken, { before, next }: Near): readonly SqlFault[] {
  const { raw, clause } = token;
  const other = Object.hasOwn(comparisons, raw) ? comparisons[raw] : undefined;
  // In SET, `=` assigns.
  if (other !== undefined && !(raw === '=' && clause === 'SET'))
    return [replaceToken('comparison', token, other)];
  const opposite = Object.hasOwn(arithmetic, raw) ? arithmetic[raw] : undefined;
  const isBetween = endsOperand(before) && beginsOperand(next);
  return opposite !== undefined && isBetween ? [replaceToken('arithmetic', token, opposite)] : [];
}

function endsOperand(token: SqlToken | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'operator') return token.raw === ')' || token.raw === ']';
  return token.kind !== 'word' || !beforeOperand.has(token.value);
}

function beginsOperand(token: SqlToken | undefined): boolean {
  if (token === undefined) return false;
  return token.kind !== 'operator' || token.raw === '(' || token.raw === '-';
}

function functionFaults(token: SqlToken, { next, after }: Near): readonly SqlFault[] {
  if (next?.raw !== '(') return [];
  const [kind, other] = (Object.hasOwn(functions, token.value) ? functions[token.value] : undefined) ?? [];
  if (kind !== undefined && other !== undefined) return [replaceToken(kind, token, other)];
  if (token.value !== 'COUNT' || after === undefined || after.raw === '*' || after.raw === ')') return [];
  const at = { start: token.start, end: token.end };
  if (after.value === 'DISTINCT') {
    const edits = [{ start: after.start, end: after.end, text: '' }];
    return [
      { kind: 'aggregate', edits, before: `${token.raw}(${after.raw} …)`, after: `${token.raw}(…)`, at },
    ];
  }
  const word = token.raw === token.raw.toLowerCase() ? 'distinct' : 'DISTINCT';
  const edits = [{ start: next.end, end: next.end, text: `${word} ` }];
  return [{ kind: 'aggregate', edits, before: `${token.raw}(…)`, after: `${token.raw}(${word} …)`, at }];
}

const joins: Readonly<Record<string, string>> = {
  LEFT: 'INNER',
  RIGHT: 'INNER',
  FULL: 'LEFT',
  INNER: 'LEFT',
};

function joinFaults(
  script: SqlScript,
  token: SqlToken,
  statement: readonly SqlToken[],
  index: number,
): readonly SqlFault[] {
  if (token.value !== 'JOIN') return [];
  const before = statement[index - 1];
  const first = before?.value === 'OUTER' ? statement[index - 2] : before;
  const other = first === undefined ? undefined : joins[first.value];
  if (first === undefined || before === undefined) return [];
  const word = (text: string) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
  if (other !== undefined) return [replaceRange('join-type', script, [first, token], word(`${other} JOIN`))];
  if (['CROSS', 'NATURAL', 'OUTER', 'ASOF', 'LATERAL', 'DIRECTED'].includes(before.value)) return [];
  return [replaceRange('join-type', script, [token, token], word('LEFT JOIN'))];
}

/** Operators between values that NOT can precede. */
const negatable: ReadonlySet<string> = new Set(['IN', 'LIKE', 'ILIKE', 'RLIKE', 'BETWEEN', 'EXISTS']);

function logicFaults(script: SqlScript, token: SqlToken, near: Near): readonly SqlFault[] {
  const { before, next, after } = near;
  const { value } = token;
  const word = (text: string) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
  if (value === 'AND' || value === 'OR') {
    const isOfMerge = ['MATCHED', 'TARGET', 'SOURCE'].includes(before?.value ?? '');
    if (token.isBetweenAnd || isOfMerge) return [];
    return [replaceToken('combination', token, value === 'AND' ? 'OR' : 'AND')];
  }
  if (value === 'IS' && next !== undefined && after !== undefined) {
    if (next.value === 'NULL')
      return [replaceRange('null-handling', script, [token, next], word('IS NOT NULL'))];
    if (next.value === 'NOT' && after.value === 'NULL')
      return [replaceRange('null-handling', script, [token, after], word('IS NULL'))];
  }
  if (value === 'IS' && next?.value === 'NULL')
    return [replaceRange('null-handling', script, [token, next], word('IS NOT NULL'))];
  if (value === 'NOT' && next !== undefined) {
    const isOther = ['NULL', 'MATCHED', 'DISTINCT', 'MATERIALIZED'].includes(next.value);
    if (isOther || before?.value === 'IS' || before?.value === 'IF') return [];
    return [replaceRange('negation', script, [token, next], next.raw)];
  }
  if (!negatable.has(value) || before?.value === 'NOT' || before?.value === 'IF') return [];
  const isList = value === 'IN' || value === 'EXISTS';
  const isOperator = value === 'EXISTS' || endsOperand(before);
  if ((isList && next?.raw !== '(') || !isOperator || token.clause === 'ROWS' || token.clause === 'RANGE')
    return [];
  // POSITION('a' IN text)
  if (token.level.opener === 'POSITION') return [];
  return [replaceRange('negation', script, [token, token], `${word('NOT')} ${token.raw}`)];
}

function rowFaults(script: SqlScript, token: SqlToken, { before, next, after }: Near): readonly SqlFault[] {
  const { value } = token;
  const word = (text: string) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
  if (value === 'SELECT' && next?.value === 'DISTINCT' && after?.value !== 'ON')
    return [replaceRange('distinct', script, [token, next], token.raw)];
  if (value === 'UNION' && next !== undefined) {
    const isAll = next.value === 'ALL';
    return [
      isAll
        ? replaceRange('set-operator', script, [token, next], token.raw)
        : replaceRange('set-operator', script, [token, token], word('UNION ALL')),
    ];
  }
  const other = Object.hasOwn(setOperators, value) ? setOperators[value] : undefined;
  // `* EXCEPT (a)` leaves out columns.
  if (
    other !== undefined &&
    before?.raw !== '*' &&
    ['SELECT', 'ALL', 'VALUES'].includes(next?.value ?? next?.raw ?? '')
  )
    return [replaceToken('set-operator', token, other)];
  return [];
}
