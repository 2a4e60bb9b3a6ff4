import { findLeftOut } from './sql-conditions.ts';
import { leaveOut, type SqlFault } from './sql-fault.ts';
import { findOrderFaults } from './sql-order.ts';
import type { SqlScript } from './sql-structure.ts';
import { findValueFaults } from './sql-values.ts';
import { findWordFaults } from './sql-words.ts';

const finders = [findWordFaults, findValueFaults, findLeftOut, findOrderFaults] as const;

/** Statements that change rows, and that others do not need to be able to run. */
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE']);

/** All changes that can be planted into SQL, in the order of the text. */
export function sqlFaults(script: SqlScript): readonly SqlFault[] {
  const found = script.statements.flatMap((statement) => [
    ...finders.flatMap((find) => find(script, statement)),
    ...(script.statements.length > 1 && changing.has(statement[0]?.value ?? '')
      ? leaveOut('left-out-statement', script, statement)
      : []),
  ]);
  return found.toSorted((a, b) => a.at.start - b.at.start);
}
