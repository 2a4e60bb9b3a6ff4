import type { VariablesReport } from './apply-variables.ts';
import { changeCounts } from './change-counts.ts';

/** One sentence about a plan or its application, the same for command and action. */
export function variablesHeadline({
  applied,
  changes,
  failed,
}: Pick<VariablesReport, 'applied' | 'changes' | 'failed'>): string {
  if (changes.length === 0) return 'The platform matches the files.';
  const { add, change, delete: deleted } = changeCounts(changes);
  if (!applied) return `${String(add)} to add, ${String(change)} to change, ${String(deleted)} to delete.`;
  const done = `${String(add)} added, ${String(change)} changed, ${String(deleted)} deleted`;
  return failed.length === 0 ? `${done}.` : `${done}. The platform rejected ${String(failed.length)}.`;
}
