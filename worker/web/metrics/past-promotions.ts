import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { PastPromotion } from '../../../flows/metrics/past-promotion.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { HistoryEvent } from '../../records/history-event.ts';
import { hasBegun, type PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';

/** What shows that a lane has changed. */
interface LaneMark extends Pick<LaneRecord, 'id' | 'seq' | 'waiting' | 'takenOut' | 'verifiedTakenOut'> {
  /** The active promotion, or its id. */
  readonly active: string | { readonly id: string } | null | undefined;
}

type Store = Pick<LaneReads, 'promotion' | 'history' | 'promotionIdsOf'>;

/** The ended promotions of a lane. */
export interface LanePast {
  /** Newest first. */
  readonly promotions: readonly PastPromotion[];
  /** `promotions` has all since then, in milliseconds since the epoch. */
  readonly since: number;
}

/** The ended promotions of lanes, by the id of the lane. */
export type Past = ReadonlyMap<string, LanePast>;

/** The ended promotions of lanes; read again only if a lane has changed. */
interface PastPromotions {
  /** The promotions of these lanes, once all are read. */
  read(lanes: readonly LaneMark[]): Promise<Past>;
  /** The promotions that are read already; the others are being read. Undefined while some lane was never read. */
  alreadyRead(lanes: readonly LaneMark[]): Past | undefined;
}

/** Newest promotions of a lane that are read. */
const maxPastPromotions = 200;

/** Lanes that are read at once, so that reading many does not keep Redis busy. */
const lanesAtOnce = 20;

/** Lanes for which a page waits; more are read while the page is shown without them. */
const maxAwaited = 100;

/** Another lane may have taken a version out of an environment that both share. */
const rereadMs = 600_000;

const ofStores = new WeakMap<Store, PastPromotions>();

interface Source {
  readonly store: Store;
  readonly clock: Clock;
}

function pastPromotionsOf({ store, clock }: Source): PastPromotions {
  const past = ofStores.get(store) ?? createPastPromotions(store, clock);
  ofStores.set(store, past);
  return past;
}

/** Reads the ended promotions of these lanes. */
export async function readPast(source: Source, lanes: readonly LaneMark[]): Promise<Past> {
  return pastPromotionsOf(source).read(lanes);
}

/** The ended promotions of these lanes; undefined while they are being read for the first time. */
export async function knownPast(source: Source, lanes: readonly LaneMark[]): Promise<Past | undefined> {
  return lanes.length <= maxAwaited ? readPast(source, lanes) : pastPromotionsOf(source).alreadyRead(lanes);
}

/** Events after which the version of a promotion is in its environment. */
const arrivals: ReadonlySet<string> = new Set(['promoted', 'promotion-found', 'already-there', 'made-live']);

interface KnownLane extends LanePast {
  readonly mark: string;
  /** Changes when an ended promotion may have changed. */
  readonly edition: string;
}

export function createPastPromotions(store: Store, clock: Clock): PastPromotions {
  const lanes = new Map<string, KnownLane>();
  let last: Promise<void> = Promise.resolve();
  let readers = 0;

  const isCurrent = (lane: LaneMark): boolean => {
    const cached = lanes.get(lane.id);
    return cached?.mark === markOf(lane) && cached.edition === editionOf(lane);
  };
  const editionOf = ({ takenOut, verifiedTakenOut }: LaneMark): string =>
    JSON.stringify([takenOut, verifiedTakenOut, Math.floor(clock.now() / rereadMs)]);

  async function readLane(lane: LaneMark): Promise<void> {
    const edition = editionOf(lane);
    const before = lanes.get(lane.id);
    // An indeterminate promotion may be resolved later.
    const kept = before?.edition === edition ? before.promotions : [];
    const final = new Map(
      kept.filter(({ outcome }) => outcome !== 'indeterminate').map((promotion) => [promotion.id, promotion]),
    );
    const ids = await store.promotionIdsOf([lane.id], maxPastPromotions);
    const read = await Promise.all(ids.map(async (id) => final.get(id) ?? readEnded(id, store)));
    const promotions = read.filter((promotion) => promotion !== undefined);
    const isWhole = ids.length < maxPastPromotions;
    const since = isWhole ? 0 : Math.min(...promotions.map(({ endedAt }) => endedAt));
    lanes.set(lane.id, { mark: markOf(lane), edition, promotions, since });
  }

  async function readStale(marks: readonly LaneMark[]): Promise<void> {
    const stale = marks.filter((lane) => !isCurrent(lane));
    for (let i = 0; i < stale.length; i += lanesAtOnce)
      await Promise.all(stale.slice(i, i + lanesAtOnce).map(readLane));
  }

  /** One reader at a time: the next one reads what is still missing. */
  async function readInTurn(marks: readonly LaneMark[]): Promise<void> {
    readers += 1;
    const reading = last.then(async () => readStale(marks)).finally(() => (readers -= 1));
    // A failure is about its own reader.
    last = reading.catch(() => undefined);
    return reading;
  }

  const pastOf = (marks: readonly LaneMark[]): Past =>
    new Map(marks.map(({ id }) => [id, lanes.get(id) ?? { promotions: [], since: 0 }]));

  return {
    async read(marks) {
      await readInTurn(marks);
      return pastOf(marks);
    },
    alreadyRead(marks) {
      // The next page shows it; a failure shows itself there, too.
      if (readers === 0) readInTurn(marks).catch(() => undefined);
      return marks.every(({ id }) => lanes.has(id)) ? pastOf(marks) : undefined;
    },
  };
}

/** Changes with everything that ends a promotion of the lane. */
function markOf({ seq, active, waiting }: LaneMark): string {
  return JSON.stringify([seq, typeof active === 'object' ? active?.id : active, waiting.length]);
}

/** Undefined while it has not ended. */
async function readEnded(id: string, store: Store): Promise<PastPromotion | undefined> {
  const promotion = await store.promotion(id);
  if (promotion?.outcome === undefined || promotion.endedAt === undefined) return undefined;
  const hasMore =
    promotion.rolledBack !== undefined || (promotion.outcome === 'failed' && hasBegun(promotion));
  return pastPromotion(promotion, hasMore ? await store.history({ promotion: id }) : []);
}

/** Converts a promotion for the metrics. `history`: the history, for a promotion that failed or was rolled back. */
export function pastPromotion(promotion: PromotionRecord, history: readonly HistoryEvent[]): PastPromotion {
  const {
    id,
    lane,
    task,
    outcome = 'error',
    createdAt,
    startedAt = createdAt,
    endedAt = createdAt,
  } = promotion;
  return {
    id,
    lane,
    commit: task.commit,
    // The clock of its author may be wrong.
    committedAt: Math.min(task.committedAt ?? createdAt, createdAt),
    isRequested: task.request !== undefined,
    outcome,
    startedAt,
    endedAt,
    arrivedAt: outcome === 'failed' ? history.find(({ what }) => arrivals.has(what))?.at : undefined,
    takenOutAt:
      outcome === 'failed' || promotion.rolledBack !== undefined
        ? history.findLast(({ what }) => what === 'rolled-back')?.at
        : undefined,
  };
}
