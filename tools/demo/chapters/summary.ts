import type { Demo } from '../demo.ts';

/** Prints the audit log of the platform and a summary of the demo. */
export async function summary({ servers, narrator, rows }: Demo, projectId: string): Promise<void> {
  narrator.chapter('The audit log of the platform');
  const entries: string[][] = [];
  for await (const entry of servers.client.audit.list({ size: 100 })) {
    if (entry.eventProjectId !== projectId) continue;
    entries.push([entry.eventTimestamp.slice(11, 19), entry.eventName, entry.eventSubjectName ?? '']);
  }
  narrator.table(
    ['time', 'audit entry', 'subject'],
    entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  narrator.chapter('Summary');
  narrator.table(['event', 'by', 'result'], rows);
}
