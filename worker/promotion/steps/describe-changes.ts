import type { Advance } from '../advance/advance.ts';

/**
 * The end of a message that says what a request changed in the target before it failed: it may have disabled some
 * of several versions. '' if it changed nothing.
 */
export async function describeChanges({ promotion, ports }: Advance): Promise<string> {
  if (promotion.task.request === undefined || promotion.step.name !== 'promote') return '';
  const changes: string[] = [];
  for (const { what, data } of await ports.store.history({ promotion: promotion.id })) {
    const [, effect] = /^intend-(enable|disable)$/u.exec(what) ?? [];
    if (effect !== undefined) changes.push(`${effect} ${(JSON.parse(data) as { what: string }).what}`);
    else if (/^(?:en|dis)able-refused$/u.test(what)) changes.push(`${changes.pop() ?? ''} (refused)`);
  }
  return changes.length === 0 ? '' : `; before that it sent: ${changes.join(', ')}`;
}
