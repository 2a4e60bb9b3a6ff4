import type { FaultKind } from './fault-kinds.ts';
import { type FindSqlFaults, leaveOut, type SqlFault } from './sql-fault.ts';
import { type Level, regionFrom, type SqlScript, splitList, type SqlToken } from './sql-structure.ts';

const filters: ReadonlySet<string> = new Set(['WHERE', 'HAVING', 'QUALIFY']);

/** Changes that leave out a condition, a key, a branch or a part of a group. */
export const findLeftOut: FindSqlFaults = (script, statement) => {
  const found: SqlFault[] = [];
  if (script.isExpression) {
    const [first] = statement;
    if (first !== undefined && !first.isFixed)
      found.push(...conjunctFaults('left-out-key', script, statement, first.level));
  }
  for (const [index, token] of statement.entries()) {
    if (token.isFixed || token.hasVariable) continue;
    const region = () =>
      regionFrom(
        statement,
        index + 1,
        token.level,
        ({ clause, raw }) => clause !== token.clause || raw === ',',
      );
    const isHere = token.clause === token.value;
    if (filters.has(token.value) && isHere) {
      const condition = region();
      const parts = conjunctFaults('left-out-condition', script, condition, token.level);
      found.push(...parts);
      if (parts.length === 0) found.push(...leaveOut('left-out-condition', script, [token, ...condition]));
    }
    if (token.value === 'ON' && isHere)
      found.push(...conjunctFaults('left-out-key', script, region(), token.level));
    if (token.value === 'CASE') found.push(...caseFaults(script, statement, index));
    if (token.value === 'PARTITION' && isHere) found.push(...partitionFaults(script, statement, index));
  }
  return [...found, ...mergeFaults(script, statement)];
};

/** Each of several conditions that are joined by AND. None if there is an OR between them: it would join others. */
function conjunctFaults(
  kind: FaultKind,
  script: SqlScript,
  condition: readonly SqlToken[],
  level: Level,
): readonly SqlFault[] {
  const joints = condition.filter(
    (token) =>
      token.level === level && !token.isBetweenAnd && (token.value === 'AND' || token.value === 'OR'),
  );
  if (joints.length === 0 || joints.some(({ value }) => value === 'OR')) return [];
  const at = joints.map((joint) => condition.indexOf(joint));
  const starts = [0, ...at.map((index) => index + 1)];
  return starts.flatMap((start, index) => {
    const end = at[index] ?? condition.length;
    if (start >= end) return [];
    // The first goes with the AND after it, each other one with the AND before it.
    return index === 0
      ? leaveOut(kind, script, condition.slice(start, end), condition[end + 1])
      : leaveOut(kind, script, condition.slice(start - 1, end));
  });
}

/** A branch of several, and what else applies. */
function caseFaults(script: SqlScript, statement: readonly SqlToken[], index: number): readonly SqlFault[] {
  const level = statement[index + 1]?.level;
  if (level?.isCase !== true) return [];
  const inside = regionFrom(statement, index + 1, level, () => false);
  const starts = inside.flatMap((token, position) =>
    token.level === level && (token.value === 'WHEN' || token.value === 'ELSE') ? [position] : [],
  );
  const whens = starts.filter((position) => inside[position]?.value === 'WHEN');
  return starts.flatMap((start, place) => {
    const next = starts[place + 1] ?? inside.length;
    if (inside[start]?.value === 'WHEN' && whens.length < 2) return [];
    return leaveOut('left-out-branch', script, inside.slice(start, next));
  });
}

function partitionFaults(
  script: SqlScript,
  statement: readonly SqlToken[],
  index: number,
): readonly SqlFault[] {
  const [word, by] = [statement[index], statement[index + 1]];
  if (word === undefined || by === undefined) return [];
  const list = regionFrom(statement, index + 2, word.level, ({ clause }) => clause !== 'PARTITION');
  const items = splitList(list, word.level);
  if (items.length < 2) return leaveOut('left-out-partition', script, [word, by, ...list]);
  return items.flatMap((item, place) => {
    const comma = list[list.indexOf(item[0] ?? word) - 1];
    const next = items[place + 1]?.[0];
    return place === 0
      ? leaveOut('left-out-partition', script, item, next)
      : leaveOut('left-out-partition', script, comma === undefined ? item : [comma, ...item]);
  });
}

/** A branch of several of a MERGE. */
function mergeFaults(script: SqlScript, statement: readonly SqlToken[]): readonly SqlFault[] {
  const [first] = statement;
  if (first?.value !== 'MERGE') return [];
  const starts = statement.flatMap((token, index) =>
    token.level === first.level && token.value === 'WHEN' ? [index] : [],
  );
  if (starts.length < 2) return [];
  return starts.flatMap((start, index) =>
    leaveOut('left-out-branch', script, statement.slice(start, starts[index + 1] ?? statement.length)),
  );
}
