import { PacedOut } from '../rate-limit/paced-out.ts';
import type { Engine } from './engine.ts';
import { follow } from './follow.ts';
import { type Suspects, suspiciousFrom } from '../store/suspects.ts';
import { giveUp } from './take-job.ts';
import { overRunLimit } from './limits.ts';
import type { RunRecord, Step } from '../records/run-record.ts';
import type { BegunTurn, NoTurn } from '../store/lane-store.ts';
import { promote } from './steps/promote.ts';
import { resolve } from './steps/resolve.ts';
import { rollBack } from './steps/roll-back.ts';
import { start } from './steps/start.ts';
import { indeterminate, stuck } from './steps/verdict.ts';
import { watch } from './steps/watch.ts';
import {
  FencedOff,
  isCredentialFault,
  isPassing,
  openTurn,
  type StepEnd,
  type Turn,
  waitFor,
  wordsOf,
} from './turn.ts';

const steps: Record<Step['name'], (turn: Turn) => Promise<StepEnd>> = {
  resolve,
  promote,
  start,
  watch,
  'roll-back': rollBack,
};

const knownSteps = Object.keys(steps);
const suspectDelayMs = 1_500;
const unknownStepMs = 10_000;

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
  suspects?: Suspects,
): Promise<number | undefined> {
  const entered = await enter({ id: runId }, engine, suspects === undefined ? undefined : suspiciousFrom);
  let wait: number | undefined;
  if (!('gone' in entered)) wait = await work(entered, engine, signal);
  else if (entered.gone === 'unknown-step') wait = unknownStepMs;
  else if (entered.gone === 'suspect') wait = await workAlone(runId, engine, signal, suspects);
  if (wait !== undefined) return wait;
  const after = 'gone' in entered && entered.gone === 'over' ? entered.run : await engine.store.run(runId);
  if (after === undefined) return undefined;
  if (after.state === 'following') await follow(after, engine);
  if (after.report.seq > after.report.sent) await engine.queues.addReport(after.id, after.report.seq);
  return undefined;
}

/** A step that this version does not know is left to the newer worker that has brought the run to it. */
async function enter(
  run: Pick<RunRecord, 'id'>,
  { store }: Engine,
  from: number | undefined,
): Promise<BegunTurn | NoTurn> {
  return store.begin(run, { steps: knownSteps, suspiciousFrom: from });
}

/** A run that was under way in several crashes in a row may be their cause: it is taken alone. */
async function workAlone(
  runId: string,
  engine: Engine,
  signal: AbortSignal,
  suspects: Suspects | undefined,
): Promise<number | undefined> {
  const alone = await suspects?.alone(async () => {
    const entered = await enter({ id: runId }, engine, undefined);
    return 'gone' in entered ? undefined : work(entered, engine, signal);
  });
  return alone === undefined ? suspectDelayMs * (0.5 + engine.random()) : alone.done;
}

async function work(
  { key, run }: BegunTurn,
  engine: Engine,
  signal: AbortSignal,
): Promise<number | undefined> {
  const turn = openTurn(run, key, engine, signal);
  const { mostCrashes } = engine.settings;
  if (run.unfinished > mostCrashes) {
    const cause = `${mostCrashes} turns in a row did not end: they killed their worker, or broke off as its history tells`;
    const { intent } = turn.run;
    if (intent?.effect === 'promote' || intent?.effect === 'start') {
      const found = `whether this took place is not known: ${intent.effect} ${intent.what}`;
      await indeterminate(turn, `${found}; look at the platform (${cause})`);
      return undefined;
    }
    const data = { runId: run.id };
    await giveUp(engine, { queue: 'run', id: `run-${run.id}`, kind: 'poison', cause, data });
    await stuck(turn, `the run was set aside: ${cause}`);
    return undefined;
  }
  for (;;) {
    signal.throwIfAborted();
    const late = turn.run.cancel === undefined ? overRunLimit(turn.run, engine.clock.now()) : undefined;
    if (late !== undefined) await turn.save({ what: 'time-limit', data: { why: late }, cancel: late });
    const end = (await cancelBeforeEffect(turn)) ?? (await takeStep(turn));
    if (end.go === 'over') return undefined;
    if (end.go === 'wait') {
      await engine.store.rest(key);
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
    return await turn.engine.spans.within(turn.run, () => steps[turn.run.step.name](turn));
  } catch (error) {
    turn.call.signal.throwIfAborted();
    // Nothing was sent. Many runs wait like this, so that saying it on each commit would only cost requests.
    if (error instanceof PacedOut) return waitFor(error.ms);
    if (error instanceof FencedOff) throw error;
    if (!isPassing(error) && !isCredentialFault(error)) {
      await turn.save({ what: 'broke-off', data: { step: turn.run.step.name, error: wordsOf(error) } });
      throw error;
    }
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
