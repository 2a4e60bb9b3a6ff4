import { type FindSqlFaults, replaceRange, replaceToken, type SqlFault } from './sql-fault.ts';
import { regionFrom, splitList, type SqlToken } from './sql-structure.ts';

/** Changes of the order of rows where it matters: in windows and aggregate functions, and with a limit. */
export const findOrderFaults: FindSqlFaults = (script, statement) =>
  statement.flatMap((token, index): readonly SqlFault[] => {
    if (token.isFixed || token.value !== 'ORDER' || token.clause !== 'ORDER') return [];
    const list = regionFrom(statement, index + 2, token.level, ({ clause }) => clause !== 'ORDER');
    const follows = statement.slice(index).filter(({ level }) => level === token.level);
    const isLimited =
      follows.some(({ value }) => value === 'LIMIT' || value === 'FETCH') ||
      statement.some((other) => other.level === token.level && other.value === 'TOP');
    const isOfFunction = token.level.opener !== '' && !token.level.isCase && !hasSelect(statement, token);
    if (!isLimited && !isOfFunction) return [];
    return splitList(list, token.level).flatMap((item): readonly SqlFault[] => {
      const [first] = item;
      const last = item.findLast(({ value }) => value !== 'NULLS' && value !== 'FIRST' && value !== 'LAST');
      if (first === undefined || last === undefined) return [];
      const own = item.filter(({ level }) => level === token.level);
      const nulls = own.find(({ value }, at) => value === 'NULLS' && own[at + 1] !== undefined);
      const position = nulls === undefined ? undefined : own[own.indexOf(nulls) + 1];
      const moved =
        position?.value === 'FIRST' || position?.value === 'LAST'
          ? [replaceToken('order', position, position.value === 'FIRST' ? 'LAST' : 'FIRST')]
          : [];
      const direction = own.find(({ value }) => value === 'ASC' || value === 'DESC');
      if (direction !== undefined)
        return [replaceToken('order', direction, direction.value === 'ASC' ? 'DESC' : 'ASC'), ...moved];
      const word = token.raw === token.raw.toLowerCase() ? 'desc' : 'DESC';
      const text = script.text.slice(first.start, last.end);
      return [replaceRange('order', script, [first, last], `${text} ${word}`), ...moved];
    });
  });

function hasSelect(statement: readonly SqlToken[], { level }: SqlToken): boolean {
  return statement.some((token) => token.level === level && token.value === 'SELECT');
}
