import type { Hold, LaneRecord } from '../../../store/lanes/lane-record.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import { compareFacts, isWanted } from '../../../store/lanes/lane-facts.ts';
import type { LiveRecord } from '../../../store/live/live-store.ts';
import { type LiveTarget, targetName } from '../../../store/live/live-target.ts';
import { isCovered, type Pauses } from '../../../store/gates/pauses.ts';
import { mayTouch, type Operator } from '../../../operators/operator.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { LiveVersions, Policy, Records, Timing } from '../../../promotion/context/ports.ts';
import type { PromotionRecord, Step } from '../../../records/promotion-record.ts';
import { describePromotion } from './describe-promotion.ts';
import { describePause } from './pauses.ts';
import { timeOf } from './time-of.ts';

/** The ports that the description of a lane uses. */
export type LaneFactsPorts = Records<LaneReads & Pauses> &
  Pick<Policy, 'config'> &
  Pick<Timing, 'clock'> &
  Pick<LiveVersions, 'live'>;

/** The verdicts that resolve an indeterminate promotion at each step. */
const verdicts: Readonly<Record<Step['name'], readonly string[]>> = {
  resolve: [],
  promote: ['--happened yes', '--happened no'],
  start: ['--execution <id>', '--happened no'],
  watch: ['--execution <id>', '--happened yes', '--happened no'],
  'roll-back': [],
};

/** A lane in the form that the API shows. */
export type ShownLane = Awaited<ReturnType<typeof describeLane>>;

/**
 * Describes a lane for the API: its active and its last promotion, the live version (as the platform answered
 * last), the version that the lane verified last, and the wanted version. Times in ISO 8601.
 */
export async function describeLane(lane: LaneRecord, ports: LaneFactsPorts, shared = sharedReads(ports)) {
  const { holds, verified, lastPromotion, found: _, ...rest } = lane;
  const { clock } = ports;
  const readPromotion = async (id: string | undefined) =>
    id === undefined ? undefined : shared.promotion(id);
  const active = await readPromotion(lane.active);
  const last = lastPromotion === lane.active ? active : await readPromotion(lastPromotion);
  const holding = await Promise.all(
    holds.map(async (hold) => ({ hold, promotion: await readPromotion(hold.promotion) })),
  );
  const covered = { repository: repositoryOf(lane.id), environment: lane.to };
  const pauses = (await shared.pauses()).filter((pause) => isCovered(pause, covered));
  const live = await shared.live({ project: lane.project, environment: lane.to });
  const { kind, disagreements, byAnotherLane } = compareFacts({ lane, live, active, last }, clock.now());
  const shown = (promotion: PromotionRecord | undefined) =>
    promotion === undefined ? null : describePromotion(promotion, lane, ports);
  return {
    ...rest,
    lastPromotion,
    active: shown(active),
    last: shown(last),
    holds: holding.map(({ hold, promotion }) => ({
      ...describeHold(hold),
      hint: holdHint(hold, lane.name, promotion),
    })),
    /** The pauses that cover the lane. */
    pauses: pauses.map((pause) => describePause(pause, ports.config)),
    /** The promotions that hold the lane until a person resolves them, even if others wait. */
    indeterminate: holding
      .flatMap(({ promotion }) => (promotion?.outcome === 'indeterminate' ? [promotion] : []))
      .map((promotion) => describePromotion(promotion, lane, ports)),
    live: describeLive(live, clock.now()),
    verified: verified === undefined ? null : { ...verified, at: timeOf(verified.at) },
    wanted: last === undefined || !isWanted(last) ? null : wantedBy(last),
    /** null: the live version is not known. */
    outOfStep: kind === 'unknown' ? null : kind === 'out-of-step',
    disagreements,
    byAnotherLane,
  };
}

/** Reads that lanes share, each done once: the pauses, what is live in an environment, and the promotions that are given. */
function sharedReads(
  { store, live }: Records<LaneReads & Pauses> & Pick<LiveVersions, 'live'>,
  promotions: ReadonlyMap<string, PromotionRecord> = new Map(),
) {
  let pauses: ReturnType<typeof store.pauses> | undefined;
  const readings = new Map<string, Promise<LiveRecord>>();
  return {
    pauses: async () => (pauses ??= store.pauses()),
    promotion: async (id: string) => promotions.get(id) ?? store.promotion(id),
    async live(target: LiveTarget): Promise<LiveRecord> {
      const name = targetName(target);
      const reading = readings.get(name) ?? live.read(target);
      readings.set(name, reading);
      return reading;
    },
  };
}

/** The live version as the platform answered; never only an expected one. */
function describeLive({ answer, changedSince, failure }: LiveRecord, now: number) {
  return {
    /** `not-known`: the platform has not answered yet. `none`: no version is enabled. */
    state: answer === undefined ? 'not-known' : answer.version === undefined ? 'none' : 'version',
    version: answer?.version ?? null,
    commit: answer?.commit ?? null,
    /** When the platform answered this. */
    at: timeOf(answer?.at),
    ageSeconds: answer === undefined ? null : Math.max(0, Math.round((now - answer.at) / 1_000)),
    /** The worker has changed the environment after that answer, and polls again. */
    changedSince,
    problem: failure === undefined ? null : { reason: failure.reason, since: timeOf(failure.since) },
  } as const;
}

function wantedBy({ id, version, task, outcome, state }: PromotionRecord) {
  return { version: version ?? null, commit: task.commit, promotion: id, state, outcome: outcome ?? null };
}

/** A hold in the form that the API shows; times in ISO 8601. */
export function describeHold(hold: Hold) {
  return { ...hold, since: timeOf(hold.since) };
}

/** All lanes of the operator's repositories. */
export async function lanesOf(operator: Operator, ports: LaneFactsPorts): Promise<readonly ShownLane[]> {
  const { store } = ports;
  const ids = (await store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const lanes = await store.lanes(ids);
  const named = lanes.flatMap(({ active, lastPromotion }) => [active, lastPromotion]);
  const promotions = await store.promotions([...new Set(named.filter((id) => id !== undefined))]);
  const shared = sharedReads(ports, new Map(promotions.map((promotion) => [promotion.id, promotion])));
  return Promise.all(lanes.map((lane) => describeLane(lane, ports, shared)));
}

/** How to clear a hold on the command line. `promotion`: the one that it is about. */
function holdHint({ cause }: Hold, lane: string, promotion: PromotionRecord | undefined): string {
  const resume = `\`millrace resume ${lane}\``;
  if (cause !== 'indeterminate' || promotion?.outcome !== 'indeterminate')
    return `Check the reason, then run ${resume}.`;
  const choices = verdicts[promotion.step.name].map(
    (verdict) => `\`millrace resolve ${promotion.id} ${verdict}\``,
  );
  if (choices.length === 0)
    return `Check the platform, then run ${resume} and \`millrace retry ${promotion.id}\`.`;
  return `Check the platform, then resolve the promotion (role admin): ${choices.join(' or ')}.`;
}
