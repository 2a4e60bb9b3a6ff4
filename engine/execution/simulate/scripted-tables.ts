import { addRows } from '../../orchestration/mocks/apply-mock.ts';
import { declaredColumns } from '../../orchestration/task/declared-columns.ts';
import { readTableText } from '../../orchestration/task/read-table-text.ts';
import type { EngineSettings } from '../run/engine-settings.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';

/**
 * Adds the rows of a simulated result to their tables: either all rows are added or none. Throws Refusal and
 * SqlError.
 */
export async function addScriptedRows(
  { tables = {}, pipeline }: ScriptedOutcome,
  { warehouse, kind, defaults }: EngineSettings,
): Promise<void> {
  const all = Object.entries(tables).map(([name, { columns, rows }]) => {
    const declared = declaredColumns(columns, kind, `the table ${name} of a simulated result of ${pipeline}`);
    const fault = { part: 'tables', name } as const;
    return [readTableText(name, defaults), { columns: declared, rows }, fault] as const;
  });
  if (all.length > 0) await addRows(all, { warehouse, kind });
}
