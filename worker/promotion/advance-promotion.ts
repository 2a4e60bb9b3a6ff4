import { messageOf } from '../../lib/core/errors/message-of.ts';
import { RateLimited } from '../rate-limit/rate-limited.ts';
import type { AdvanceKey, Advances, BegunAdvance, NoAdvance } from '../store/advances/advances.ts';
import type { Queues, Records, Timing } from './context/ports.ts';
import type { Admission } from '../store/admission.ts';
import { follow } from './admission/follow.ts';
import { type Quarantine, quarantineFrom } from '../store/jobs/quarantine.ts';
import { giveUp } from './context/take-job.ts';
import { overPromotionLimit } from './context/limits.ts';
import type { PromotionRecord, Step } from '../records/promotion-record.ts';
import { CredentialMissing } from './context/platforms.ts';
import { logFieldsOf } from './context/log-fields.ts';
import { promote } from './steps/promote.ts';
import { resolve } from './steps/resolve.ts';
import { rollBack } from './steps/roll-back.ts';
import { start } from './steps/start.ts';
import { describeChanges } from './steps/describe-changes.ts';
import { indeterminate, finishWithError } from './steps/outcomes.ts';
import { watch } from './steps/watch.ts';
import {
  FencedOff,
  isCredentialFault,
  isTransient,
  openAdvance,
  type FinishedPromotion,
  type StepEnd,
  type Advance,
  waitFor,
} from './advance/advance.ts';
import type { AdvancePorts } from './advance/advance-ports.ts';

const steps: Record<Step['name'], (advance: Advance) => Promise<StepEnd>> = {
  resolve,
  promote,
  start,
  watch,
  'roll-back': rollBack,
};

/** The names of the steps that this version of the worker knows. */
export const knownSteps: readonly string[] = Object.keys(steps);
const quarantineDelayMs = 1_500;
const unknownStepMs = 10_000;

/** If an advance was begun longer ago, another worker may have taken the promotion over since. */
const freshMs = 50;

/**
 * Ends an advance and delays its job by some milliseconds. Always throws, because an error tells BullMQ that the
 * job was moved.
 */
export type DelayAdvance = (key: AdvanceKey, ms: number) => Promise<never>;

/** An advance that began in the same command that took its job. */
export interface BegunWithJob {
  readonly advance: BegunAdvance | NoAdvance;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface AdvanceOptions {
  readonly quarantine?: Quarantine;
  /** Ends an advance that waits, together with its job; then nothing is returned. */
  readonly delay?: DelayAdvance | undefined;
  readonly begun?: BegunWithJob | undefined;
}

/**
 * Advances a promotion once: from its recorded step to the next wait. Returns the milliseconds until the next
 * advance; undefined if there is none. May be called at any time, by any worker, for any promotion. Throws
 * FencedOff if another worker takes the promotion over.
 */
export async function advancePromotion(
  promotionId: string,
  ports: AdvancePorts & Records<Admission>,
  signal: AbortSignal,
  { quarantine, delay, begun }: AdvanceOptions = {},
): Promise<number | undefined> {
  const entered =
    begun === undefined
      ? await enter({ id: promotionId }, ports, quarantine === undefined ? undefined : quarantineFrom)
      : await enterBegun(begun, ports);
  let done: number | FinishedPromotion | undefined;
  if (!('status' in entered)) done = await work(entered, ports, signal, delay);
  else if (entered.status === 'unknown-step') done = unknownStepMs;
  else if (entered.status === 'quarantine')
    done = await advanceInQuarantine(promotionId, ports, signal, quarantine);
  if (typeof done === 'number') return done;
  if (done?.state === 'finished') return undefined;
  const after =
    'status' in entered && entered.status === 'over'
      ? entered.promotion
      : await ports.store.promotion(promotionId);
  if (after === undefined) return undefined;
  if (after.state === 'following') await follow(after, ports);
  await reportNewest(promotionId, after, ports);
  return undefined;
}

async function reportNewest(
  promotionId: string,
  { report: { seq, sent } }: Pick<PromotionRecord, 'report'>,
  { queues }: Queues,
): Promise<void> {
  if (seq > sent) await queues.addReport(promotionId, seq);
}

/** A step that this version does not know is left to the newer worker that brought the promotion there. */
async function enter(
  promotion: Pick<PromotionRecord, 'id'>,
  { store }: Records<Advances>,
  from: number | undefined,
): Promise<BegunAdvance | NoAdvance> {
  return store.beginAdvance(promotion, { steps: knownSteps, quarantineFrom: from });
}

/** Throws FencedOff. */
async function enterBegun(
  { advance, at }: BegunWithJob,
  ports: Records<Advances> & Pick<Timing, 'clock'>,
): Promise<BegunAdvance | NoAdvance> {
  if ('status' in advance || ports.clock.now() - at <= freshMs) return advance;
  const { status } = await ports.store.record(advance.key, { kind: 'state', what: '' });
  if (status === 'fenced') throw new FencedOff();
  return advance;
}

/** A promotion that was running in several crashes in a row may be their cause: it runs alone. */
async function advanceInQuarantine(
  promotionId: string,
  ports: AdvancePorts,
  signal: AbortSignal,
  quarantine: Quarantine | undefined,
): Promise<number | FinishedPromotion | undefined> {
  const runAlone = await quarantine?.runAlone(async () => {
    const entered = await enter({ id: promotionId }, ports, undefined);
    return 'status' in entered ? undefined : work(entered, ports, signal);
  });
  return runAlone === undefined ? quarantineDelayMs * (0.5 + ports.random()) : runAlone.done;
}

/** Advances a promotion until it waits or ends. Returns the milliseconds of the wait, or the end. */
async function work(
  begun: BegunAdvance,
  ports: AdvancePorts,
  signal: AbortSignal,
  delay?: DelayAdvance,
): Promise<number | FinishedPromotion | undefined> {
  const advance = openAdvance(begun, ports, signal);
  let end: number | FinishedPromotion | undefined;
  try {
    end = await takeSteps(advance);
  } catch (error) {
    // Otherwise the next advance would have to find it out again.
    if (!(error instanceof FencedOff)) await advance.saveRest().catch(() => undefined);
    throw error;
  }
  if (typeof end !== 'number') return end;
  const ms = end;
  await endWithRest(advance, () => delay?.(begun.key, ms) ?? ports.store.endAdvance(begun.key));
  return ms;
}

/**
 * Ends an advance, and records its rest at the same time. Throws the error of the end if there is one (`DelayAdvance`
 * always throws), otherwise the error of the rest.
 */
async function endWithRest(advance: Advance, end: () => Promise<void>): Promise<void> {
  const [rest, ended] = await Promise.allSettled([advance.saveRest(), end()]);
  if (ended.status === 'fulfilled') {
    if (rest.status === 'rejected') throw rest.reason;
    return;
  }
  // The job is another worker's now, or delayed: the next advance finds out again what was not recorded.
  if (rest.status === 'rejected' && !(rest.reason instanceof FencedOff))
    advance.ports.logger.warn('Recording an advance failed.', {
      ...logFieldsOf(advance.promotion),
      error: messageOf(rest.reason),
    });
  throw ended.reason;
}

/** Takes the steps of a promotion until one waits or it ends. Returns the milliseconds of the wait, or the end. */
async function takeSteps(advance: Advance): Promise<number | FinishedPromotion | undefined> {
  const { ports, promotion } = advance;
  const { maxCrashes } = ports.settings;
  if (promotion.unfinished > maxCrashes) {
    const cause = `${maxCrashes} attempts in a row did not end: each stopped its worker process or failed as the history shows`;
    const { intent } = advance.promotion;
    if (intent?.effect === 'promote' || intent?.effect === 'start') {
      const doubt = `the worker does not know whether this happened: ${intent.effect} ${intent.what}`;
      return endIn(await indeterminate(advance, `${doubt}; check the platform (${cause})`));
    }
    const data = { promotionId: promotion.id };
    await giveUp(ports, {
      queue: 'promotion',
      id: `promotion-${promotion.id}`,
      kind: 'poison',
      cause,
      data,
    });
    return endIn(await finishWithError(advance, `the worker gave the promotion up: ${cause}`));
  }
  for (;;) {
    advance.call.signal.throwIfAborted();
    const late =
      advance.promotion.cancel === undefined
        ? overPromotionLimit(advance.promotion, ports.clock.now())
        : undefined;
    if (late !== undefined) await advance.save({ what: 'time-limit', data: { reason: late }, cancel: late });
    const end = (await cancelBeforeEffect(advance)) ?? (await takeStep(advance));
    if (end.kind === 'finished') return end.end;
    if (end.kind === 'wait') return end.ms;
  }
}

const endIn = (end: StepEnd): FinishedPromotion | undefined =>
  end.kind === 'finished' ? end.end : undefined;

/**
 * If the platform cannot be read now, or refuses the credential, the promotion waits: nothing was sent, and
 * nothing is known against the version. The commit shows the wait.
 */
async function takeStep(advance: Advance): Promise<StepEnd> {
  try {
    return await advance.ports.spans.within(advance.promotion, () =>
      steps[advance.promotion.step.name](advance),
    );
  } catch (error) {
    advance.call.signal.throwIfAborted();
    // Nothing was sent. Many promotions wait like this; a status update for each commit would only cost
    // requests.
    if (error instanceof RateLimited) return waitFor(error.ms);
    if (error instanceof FencedOff) throw error;
    if (!isTransient(error) && !isCredentialFault(error)) {
      await advance.save({
        what: 'broke-off',
        data: { step: advance.promotion.step.name, error: messageOf(error) },
      });
      throw error;
    }
    const cause = error instanceof CredentialMissing ? 'Waiting' : 'Waiting for the platform';
    await advance.save({ what: '', report: { state: 'pending', text: `${cause}: ${messageOf(error)}` } });
    const { random, settings } = advance.ports;
    return waitFor(settings.unansweredMs * (0.75 + random() / 2));
  }
}

/** A cancelled promotion ends here, unless one of its effects is open: then its step handles that first. */
async function cancelBeforeEffect(advance: Advance): Promise<StepEnd | undefined> {
  const { cancel, step, intent, version } = advance.promotion;
  if (cancel === undefined || intent !== undefined) return undefined;
  if (step.name === 'watch' || step.name === 'roll-back') return undefined;
  const stays = step.name === 'start' ? `; ${version ?? ''} stays in ${advance.lane.to} unverified` : '';
  const message = `${cancel}${stays}${await describeChanges(advance)}`;
  return advance.finish({ outcome: 'cancelled', message, report: { state: 'error', text: message } });
}
