import { admit, runIdOf } from './admit.ts';
import type { CommentEvent } from '../records/comment-event.ts';
import type { PushEvent } from '../records/push-event.ts';
import type { AuditEntry } from '../records/audit-entry.ts';
import type { Engine } from './engine.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { DeadLetter } from '../store/dead-letters.ts';

export type Replayed =
  | { readonly said: 'unknown' }
  | { readonly said: 'refused'; readonly why: string }
  /** `run`: the new run, where one was made. */
  | { readonly said: 'replayed'; readonly run?: string };

/**
 * Sets a dead letter to work again, in a person's name; it is gone from the list then. The act and its line in the audit
 * are one step; what follows from it is seen to by the reconciler where this process ends in between.
 */
export async function replayDeadLetter(
  id: string,
  { by, via }: Pick<AuditEntry, 'by' | 'via'>,
  engine: Engine,
): Promise<Replayed> {
  const { deadLetters, store } = engine;
  const letter = await deadLetters.get(id);
  if (letter === undefined) return { said: 'unknown' };
  const run = letter.queue === 'ingest' ? undefined : await store.run(runOf(letter.data));
  const why = await whyNot(letter, run, engine);
  if (why !== undefined) return { said: 'refused', why };
  const fresh = letter.queue === 'run' && run !== undefined ? replayIdOf(run) : '';
  const data = JSON.stringify({ deadLetter: id });
  const out = await deadLetters.setOut(id, { by, via, lane: run?.lane ?? '', run: fresh, data });
  if (out === undefined) return { said: 'unknown' };
  await replay(out, engine);
  return fresh === '' ? { said: 'replayed' } : { said: 'replayed', run: fresh };
}

/** Sees to replays that whoever began them did not end. Doing one twice is doing it once. */
export async function finishReplays(engine: Engine): Promise<void> {
  for (const letter of await engine.deadLetters.underWay()) await replay(letter, engine);
}

async function whyNot(
  { queue, data }: DeadLetter,
  run: RunRecord | undefined,
  { store }: Engine,
): Promise<string | undefined> {
  if (queue === 'ingest')
    return isIncoming(data) ? undefined : 'it holds no event that this version understands';
  if (run === undefined) return 'its run is gone';
  if (queue === 'report') return undefined;
  if (run.state !== 'finished') return 'its run is not over';
  const again = await store.run(replayIdOf(run));
  return again === undefined ? undefined : 'it was replayed before; retry that run';
}

async function replay({ id, queue, data }: DeadLetter, engine: Engine): Promise<void> {
  const { queues, store, deadLetters } = engine;
  const run = queue === 'ingest' ? undefined : await store.run(runOf(data));
  if (run === undefined) {
    if (isIncoming(data)) await queues.replayPush(data);
  } else if (queue === 'report') {
    await store.sayAgain(run);
    await queues.addReport(run.id, run.report.seq);
  } else {
    const head = { field: '', value: '' };
    await admit({ runId: replayIdOf(run), plan: run.plan, order: 'any', head }, engine);
  }
  await deadLetters.finished(id);
}

const replayIdOf = (run: RunRecord): string => runIdOf(run.lane, `replay of ${run.id}`);

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
