import { setTimeout as delay } from 'node:timers/promises';
import { repository } from './demo-servers.ts';
import { DemoFailure, type Demo } from './demo.ts';

/** Prints each new status of a context on a commit, and returns the state as soon as it is not pending. */
export async function awaitStatus(
  { servers, narrator, signal }: Demo,
  { commit, context, seconds }: { commit: string; context: string; seconds: number },
): Promise<string> {
  let printed = '';
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const newest = servers.github
      .repository(repository)
      .statuses.findLast((status) => status.sha === commit && status.context === context);
    const text =
      newest === undefined ? '' : `${newest.context}: ${newest.state}: ${newest.description ?? ''}`;
    if (text !== printed) {
      narrator.quote([text]);
      printed = text;
    }
    if (newest !== undefined && newest.state !== 'pending') return newest.state;
    await delay(50, undefined, { signal });
  }
  throw new DemoFailure(
    `The status ${context} is not final after ${seconds} seconds: ${printed === '' ? 'missing' : printed}`,
  );
}
