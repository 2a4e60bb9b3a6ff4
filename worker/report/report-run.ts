import { oneLine, shorten } from '../../github/foreign-text.ts';
import { Failure } from '../../model/failure.ts';
import type { GitHubPort } from '../github/github-port.ts';
import type { Engine } from '../run/engine.ts';
import { wordsOf } from '../run/turn.ts';

/** GitHub will never take it: no such commit, too many statuses of one context. */
const hopeless = new Set([404, 410, 422]);

/**
 * Tells GitHub where a run stands, if it has not been told. What was said last wins: states in between are left out.
 * Gives the milliseconds after which to try again, undefined where there is nothing left to tell.
 */
export async function reportRun(
  runId: string,
  github: GitHubPort,
  engine: Engine,
): Promise<number | undefined> {
  const { store, clock, logger, settings, random } = engine;
  const run = await store.run(runId);
  if (run === undefined) return undefined;
  const taken = await store.takeReport(runId, clock.now() + settings.reportLeaseMs);
  if (taken.said === 'busy') return 1_000;
  if (taken.said !== 'send') {
    await store.close(runId);
    return undefined;
  }
  const { repository, commit, lane } = run.plan;
  const description = shorten(oneLine(taken.text), 140);
  const context = `millrace/${lane.name}`;
  try {
    const there = taken.unsure ? await github.readStatus(repository.fullName, commit, context) : undefined;
    const arrived = there?.state === taken.state && there.description === description;
    if (!arrived) {
      await github.setStatus(repository.fullName, { sha: commit, state: taken.state, context, description });
    }
  } catch (error) {
    const status = error instanceof Failure ? error.details['status'] : undefined;
    const age = clock.now() - (run.endedAt ?? clock.now());
    const givenUp = (typeof status === 'number' && hopeless.has(status)) || age > settings.reportForMs;
    logger.warn('GitHub could not be told.', { run_id: runId, error: wordsOf(error), given_up: givenUp });
    await store.giveReport(runId, givenUp ? taken.seq : undefined);
    if (givenUp) await store.close(runId);
    // Secondary limits ask for a minute; jitter, so that a thousand runs do not come back at once.
    return givenUp ? undefined : Math.round(5_000 + 10_000 * random() + Math.min(age / 10, 60_000));
  }
  const left = await store.giveReport(runId, taken.seq);
  if (left === 'more') return 300;
  await store.close(runId);
  return undefined;
}
