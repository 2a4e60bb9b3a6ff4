import { RateLimited } from '../rate-limit/rate-limited.ts';
import type { Engine } from './engine.ts';
import { follow } from './follow.ts';
import { type Quarantine, quarantineFrom } from '../store/quarantine.ts';
import { giveUp } from './take-job.ts';
import { overPromotionLimit } from './limits.ts';
import type { PromotionRecord, Step } from '../records/promotion-record.ts';
import type { BegunAdvance, NoAdvance } from '../store/lane-store.ts';
import { promote } from './steps/promote.ts';
import { resolve } from './steps/resolve.ts';
import { rollBack } from './steps/roll-back.ts';
import { start } from './steps/start.ts';
import { indeterminate, stuck } from './steps/outcomes.ts';
import { watch } from './steps/watch.ts';
import {
  FencedOff,
  isCredentialFault,
  isTransient,
  openAdvance,
  type StepEnd,
  type Advance,
  waitFor,
  messageOf,
} from './advance.ts';

const steps: Record<Step['name'], (advance: Advance) => Promise<StepEnd>> = {
  resolve,
  promote,
  start,
  watch,
  'roll-back': rollBack,
};

const knownSteps = Object.keys(steps);
const quarantineDelayMs = 1_500;
const unknownStepMs = 10_000;

/** Milliseconds until the platform is tried again. */
const platformDelayMs = 10_000;

/**
 * Takes one turn of a run: from where its record says it stands, up to the next wait. Gives the milliseconds until
 * the next turn, undefined where there is none. May be called at any time, by any worker, for any promotion.
 * Throws FencedOff where another worker takes the promotion over meanwhile.
 */
export async function advancePromotion(
  promotionId: string,
  engine: Engine,
  signal: AbortSignal,
  quarantine?: Quarantine,
): Promise<number | undefined> {
  const entered = await enter(
    { id: promotionId },
    engine,
    quarantine === undefined ? undefined : quarantineFrom,
  );
  let wait: number | undefined;
  if (!('status' in entered)) wait = await work(entered, engine, signal);
  else if (entered.status === 'unknown-step') wait = unknownStepMs;
  else if (entered.status === 'quarantine')
    wait = await advanceInQuarantine(promotionId, engine, signal, quarantine);
  if (wait !== undefined) return wait;
  const after =
    'status' in entered && entered.status === 'over'
      ? entered.promotion
      : await engine.store.promotion(promotionId);
  if (after === undefined) return undefined;
  if (after.state === 'following') await follow(after, engine);
  if (after.report.seq > after.report.sent) await engine.queues.addReport(after.id, after.report.seq);
  return undefined;
}

/** A step that this version does not know is left to the newer worker that has brought the promotion to it. */
async function enter(
  promotion: Pick<PromotionRecord, 'id'>,
  { store }: Engine,
  from: number | undefined,
): Promise<BegunAdvance | NoAdvance> {
  return store.beginAdvance(promotion, { steps: knownSteps, quarantineFrom: from });
}

/** A promotion that was under way in several crashes in a row may be their cause: it is taken alone. */
async function advanceInQuarantine(
  promotionId: string,
  engine: Engine,
  signal: AbortSignal,
  quarantine: Quarantine | undefined,
): Promise<number | undefined> {
  const runAlone = await quarantine?.runAlone(async () => {
    const entered = await enter({ id: promotionId }, engine, undefined);
    return 'status' in entered ? undefined : work(entered, engine, signal);
  });
  return runAlone === undefined ? quarantineDelayMs * (0.5 + engine.random()) : runAlone.done;
}

async function work(
  { key, promotion }: BegunAdvance,
  engine: Engine,
  signal: AbortSignal,
): Promise<number | undefined> {
  const advance = openAdvance(promotion, key, engine, signal);
  const { maxCrashes } = engine.settings;
  if (promotion.unfinished > maxCrashes) {
    const cause = `${maxCrashes} turns in a row did not end: they killed their worker, or broke off as its history tells`;
    const { intent } = advance.promotion;
    if (intent?.effect === 'promote' || intent?.effect === 'start') {
      const found = `whether this took place is not known: ${intent.effect} ${intent.what}`;
      await indeterminate(advance, `${found}; look at the platform (${cause})`);
      return undefined;
    }
    const data = { promotionId: promotion.id };
    await giveUp(engine, {
      queue: 'promotion',
      id: `promotion-${promotion.id}`,
      kind: 'poison',
      cause,
      data,
    });
    await stuck(advance, `the promotion was set aside: ${cause}`);
    return undefined;
  }
  for (;;) {
    signal.throwIfAborted();
    const late =
      advance.promotion.cancel === undefined
        ? overPromotionLimit(advance.promotion, engine.clock.now())
        : undefined;
    if (late !== undefined) await advance.save({ what: 'time-limit', data: { why: late }, cancel: late });
    const end = (await cancelBeforeEffect(advance)) ?? (await takeStep(advance));
    if (end.kind === 'finished') return undefined;
    if (end.kind === 'wait') {
      await engine.store.rest(key);
      return end.ms;
    }
  }
}

/**
 * A platform that cannot be read now, or refuses the credential, is waited for: nothing has been sent, nothing is
 * known against the version. It is said on the commit.
 */
async function takeStep(advance: Advance): Promise<StepEnd> {
  try {
    return await advance.engine.spans.within(advance.promotion, () =>
      steps[advance.promotion.step.name](advance),
    );
  } catch (error) {
    advance.call.signal.throwIfAborted();
    // Nothing was sent. Many promotions wait like this, so that saying it on each commit would only cost requests.
    if (error instanceof RateLimited) return waitFor(error.ms);
    if (error instanceof FencedOff) throw error;
    if (!isTransient(error) && !isCredentialFault(error)) {
      await advance.save({
        what: 'broke-off',
        data: { step: advance.promotion.step.name, error: messageOf(error) },
      });
      throw error;
    }
    await advance.save({
      what: '',
      report: { state: 'pending', text: `Waiting for the platform: ${messageOf(error)}` },
    });
    return waitFor(platformDelayMs * (0.75 + advance.engine.random() / 2));
  }
}

/** A cancelled promotion ends here, unless something of it is under way: then its step sees to that first. */
async function cancelBeforeEffect(advance: Advance): Promise<StepEnd | undefined> {
  const { cancel, step, intent, version } = advance.promotion;
  if (cancel === undefined || intent !== undefined) return undefined;
  if (step.name === 'watch' || step.name === 'roll-back') return undefined;
  const stays =
    step.name === 'start' ? `; ${version ?? ''} stays in ${advance.lane.to} without a verification` : '';
  const message = `${cancel}${stays}`;
  return advance.finish({ outcome: 'cancelled', message, report: { state: 'error', text: message } });
}
