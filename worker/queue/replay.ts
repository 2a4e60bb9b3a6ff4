import { admit, runIdOf } from '../lanes/admit.ts';
import type { CommentEvent } from '../receiver/comment-event.ts';
import type { PushEvent } from '../receiver/push-event.ts';
import type { Engine } from '../run/engine.ts';
import type { DeadLetter } from './dead-letters.ts';

export type Replayed =
  | { readonly said: 'unknown' }
  | { readonly said: 'refused'; readonly why: string }
  /** `run`: the new run, where one was made. */
  | { readonly said: 'replayed'; readonly run?: string };

/** Sets a dead letter to work again; it is gone from the list then. A letter may be replayed by one caller only. */
export async function replayDeadLetter(id: string, engine: Engine): Promise<Replayed> {
  const { deadLetters } = engine;
  const letter = await deadLetters.get(id);
  if (letter === undefined) return { said: 'unknown' };
  const replayed = await replay(letter, engine);
  if (replayed.said === 'replayed') await deadLetters.remove(id);
  return replayed;
}

async function replay(letter: DeadLetter, engine: Engine): Promise<Replayed> {
  const { queues, store } = engine;
  if (letter.queue === 'ingest') {
    if (!isIncoming(letter.data))
      return { said: 'refused', why: 'it holds no event that this version understands' };
    await queues.replayPush(letter.data);
    return { said: 'replayed' };
  }
  const run = await store.run(runOf(letter.data));
  if (run === undefined) return { said: 'refused', why: 'its run is gone' };
  if (letter.queue === 'report') {
    await store.sayAgain(run);
    await queues.addReport(run.id, run.report.seq);
    return { said: 'replayed' };
  }
  if (run.state !== 'finished') return { said: 'refused', why: 'its run is not over' };
  const runId = runIdOf(run.lane, `replay of ${run.id}`);
  const accepted = await admit(
    { runId, plan: run.plan, order: 'any', head: { field: '', value: '' } },
    engine,
  );
  return accepted.said === 'accepted'
    ? { said: 'replayed', run: runId }
    : { said: 'refused', why: 'it was replayed before; retry that run' };
}

/** What we wrote ourselves, perhaps with another version. */
function isIncoming(data: unknown): data is PushEvent | CommentEvent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'digest' in data &&
    'repositoryId' in data &&
    ('ref' in data || 'command' in data)
  );
}

function runOf(data: unknown): string {
  const found = typeof data === 'object' && data !== null && 'runId' in data ? data.runId : '';
  return typeof found === 'string' ? found : '';
}
