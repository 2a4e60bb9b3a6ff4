import { setTimeout as delay } from 'node:timers/promises';
import { repository } from './stage.ts';
import { BrokenPromise, type Plot } from './plot.ts';

/** The newest status of a context on a commit, told whenever it changes, until it is no longer pending. */
export async function awaitStatus(
  { stage, tell, signal }: Plot,
  { commit, context, seconds }: { commit: string; context: string; seconds: number },
): Promise<string> {
  let told = '';
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const newest = stage.github
      .repository(repository)
      .statuses.findLast((one) => one.sha === commit && one.context === context);
    const text =
      newest === undefined ? '' : `${newest.context}: ${newest.state}: ${newest.description ?? ''}`;
    if (text !== told) {
      tell.quote([text]);
      told = text;
    }
    if (newest !== undefined && newest.state !== 'pending') return newest.state;
    await delay(50, undefined, { signal });
  }
  throw new BrokenPromise(
    `After ${seconds} seconds ${context} is still: ${told === '' ? 'not there' : told}`,
  );
}
