import { PacedOut } from '../pace/paced-out.ts';
import type { Engine } from './engine.ts';
import { follow } from './follow.ts';
import { overRunLimit } from './limits.ts';
import type { RunRecord, Step } from './run-record.ts';
import { promote } from './steps/promote.ts';
import { resolve } from './steps/resolve.ts';
import { rollBack } from './steps/roll-back.ts';
import { start } from './steps/start.ts';
import { stuck } from './steps/verdict.ts';
import { watch } from './steps/watch.ts';
import { isCredentialFault, isPassing, openTurn, type StepEnd, type Turn, waitFor, wordsOf } from './turn.ts';

const steps: Record<Step['name'], (turn: Turn) => Promise<StepEnd>> = {
  resolve,
  promote,
  start,
  watch,
  'roll-back': rollBack,
};

/** After so many turns without an end (each killed its worker, or lost its lock) a run is set aside. */
const mostUnfinished = 10;

/** Milliseconds until the platform is tried again. */
const platformDelayMs = 10_000;

/**
 * Takes one turn of a run: from where its record says it stands, up to the next wait. Gives the milliseconds until
 * the next turn, undefined where there is none. May be called at any time, by any worker, for any run.
 * Throws FencedOff where another worker takes the run over meanwhile.
 */
export async function takeTurn(
  runId: string,
  engine: Engine,
  signal: AbortSignal,
): Promise<number | undefined> {
  const run = await engine.store.run(runId);
  if (run?.state === 'active') {
    const wait = await work(run, engine, signal);
    if (wait !== undefined) return wait;
  }
  const after = await engine.store.run(runId);
  if (after === undefined) return undefined;
  if (after.state === 'following') await follow(after, engine);
  if (after.report.seq > after.report.sent) await engine.queues.addReport(after.id, after.report.seq);
  return undefined;
}

async function work(run: RunRecord, engine: Engine, signal: AbortSignal): Promise<number | undefined> {
  const begun = await engine.store.begin(run);
  if ('gone' in begun) return undefined;
  // Read again: what was read before the fence may be somebody else's past.
  const now = (await engine.store.run(run.id)) ?? run;
  const turn = openTurn(now, begun.key, engine, signal);
  if (begun.unfinished > mostUnfinished) {
    await stuck(turn, `the run did not end ${mostUnfinished} turns in a row and was set aside`);
    return undefined;
  }
  for (;;) {
    signal.throwIfAborted();
    const late = turn.run.cancel === undefined ? overRunLimit(turn.run, engine.clock.now()) : undefined;
    if (late !== undefined) await turn.save({ what: 'time-limit', data: { why: late }, cancel: late });
    const end = (await cancelBeforeEffect(turn)) ?? (await takeStep(turn));
    if (end.go === 'over') return undefined;
    if (end.go === 'wait') {
      await engine.store.rest(begun.key);
      return end.ms;
    }
  }
}

/**
 * A platform that cannot be read now, or refuses the credential, is waited for: nothing has been sent, nothing is
 * known against the version. It is said on the commit.
 */
async function takeStep(turn: Turn): Promise<StepEnd> {
  try {
    return await steps[turn.run.step.name](turn);
  } catch (error) {
    turn.call.signal.throwIfAborted();
    // Nothing was sent. Many runs wait like this, so that saying it on each commit would only cost requests.
    if (error instanceof PacedOut) return waitFor(error.ms);
    if (!isPassing(error) && !isCredentialFault(error)) throw error;
    await turn.save({
      what: '',
      report: { state: 'pending', text: `Waiting for the platform: ${wordsOf(error)}` },
    });
    return waitFor(platformDelayMs * (0.75 + turn.engine.random() / 2));
  }
}

/** A cancelled run ends here, unless something of it is under way: then its step sees to that first. */
async function cancelBeforeEffect(turn: Turn): Promise<StepEnd | undefined> {
  const { cancel, step, intent, version } = turn.run;
  if (cancel === undefined || intent !== undefined) return undefined;
  if (step.name === 'watch' || step.name === 'roll-back') return undefined;
  const stays =
    step.name === 'start' ? `; ${version ?? ''} stays in ${turn.lane.to} without a verification` : '';
  const message = `${cancel}${stays}`;
  return turn.settle({ outcome: 'cancelled', message, report: { state: 'error', text: message } });
}
