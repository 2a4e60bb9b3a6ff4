import type { Plot } from '../plot.ts';

/** The platform's own record, and the table of what happened. */
export async function endOfTheStory({ stage, tell, rows }: Plot, projectId: string): Promise<void> {
  tell.chapter('What the platform recorded');
  const entries: string[][] = [];
  for await (const entry of stage.client.audit.list({ size: 100 })) {
    if (entry.eventProjectId !== projectId) continue;
    entries.push([entry.eventTimestamp.slice(11, 19), entry.eventName, entry.eventSubjectName ?? '']);
  }
  tell.table(
    ['time', 'audit entry', 'subject'],
    entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  tell.chapter('What happened');
  tell.table(['what', 'by', 'end'], rows);
}
