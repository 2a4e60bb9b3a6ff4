import type { LanePlan, PromotionPlan } from './plan.ts';

/** What most lanes have. Plans of older workers lack some of it, with the same meaning. */
const laneDefaults: Partial<LanePlan> = {
  policy: 'latest',
  versions: { order: 'auto', prereleases: true },
  verify: [],
  onFailure: 'hold',
  onConflict: 'wait',
  limits: {},
  next: [],
};
const gateDefaults: LanePlan['gates'] = {
  approvals: 0,
  authorsMayApprove: true,
  soak: 0,
  checks: [],
  freeze: [],
  windows: [],
};
const verificationDefaults = { variables: {} };
const planDefaults = { authors: [], authorIds: {} };

type Without<Whole, Left> = Omit<Whole, keyof Left> & Partial<Whole>;

type StoredLane = Partial<Omit<LanePlan, 'gates' | 'verify' | 'next'>> & {
  readonly gates?: Partial<LanePlan['gates']>;
  readonly verify?: readonly Without<LanePlan['verify'][number], typeof verificationDefaults>[];
  readonly next?: readonly StoredLane[];
};

/** A plan as it is kept in Redis: without what has its default value, because every waiting promotion keeps one. */
type StoredPlan = Omit<PromotionPlan, 'lane'> & { readonly lane: StoredLane };

/** The plan to store. The id of its lane is a field of the record. */
export function storedPlan({ lane, ...plan }: PromotionPlan): object {
  const { id: _, ...stored } = storedLane(lane);
  return { ...without(plan, planDefaults), lane: stored };
}

function storedLane({ gates, verify, next, ...lane }: LanePlan): StoredLane {
  const stored = {
    ...lane,
    gates: without(gates, gateDefaults),
    verify: verify.map((verification) => without(verification, verificationDefaults)),
    next: next.map(storedLane),
  };
  return without(stored, { ...laneDefaults, gates: {} });
}

/** Only a value that is written in the same way is left out: any other one is stored, and read, as it is. */
function without(values: object, defaults: object): object {
  const kept = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(defaults, name)),
  );
  return Object.fromEntries(kept);
}

/** Reads a stored plan, also of an older worker, which has everything. `lane`: the id of its lane. */
export function readPlan(text: string, lane: string): PromotionPlan {
  const stored = JSON.parse(text) as StoredPlan;
  return { ...stored, lane: readLane(stored.lane, lane) };
}

/** With what the type requires; what may be absent means the default. */
function readLane(stored: StoredLane, id: string): LanePlan {
  const { gates, verify = [], next = [] } = stored;
  return {
    policy: 'latest',
    onFailure: 'hold',
    ...stored,
    id,
    gates: { approvals: 0, soak: 0, freeze: [], ...gates },
    verify: verify.map((verification) => ({ variables: {}, ...verification })),
    next: next.map((following) => readLane(following, following.id ?? '')),
  } as LanePlan;
}
