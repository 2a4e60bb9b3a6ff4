import type { PromotionLane, PromotionTask } from './promotion-task.ts';

/** What most lanes have. Tasks of older workers lack some of it, with the same meaning. */
const laneDefaults: Partial<PromotionLane> = {
  policy: 'latest',
  versions: { order: 'auto', prereleases: true },
  verify: [],
  onFailure: 'hold',
  onConflict: 'wait',
  limits: {},
  next: [],
};
const gateDefaults: PromotionLane['gates'] = {
  approvals: 0,
  authorsMayApprove: true,
  soak: 0,
  checks: [],
  evidence: [],
  freeze: [],
  windows: [],
};
const verificationDefaults = { variables: {} };
const taskDefaults = { authors: [], authorIds: {} };

type Without<Whole, Left> = Omit<Whole, keyof Left> & Partial<Whole>;

type StoredLane = Partial<Omit<PromotionLane, 'gates' | 'verify' | 'next'>> & {
  readonly gates?: Partial<PromotionLane['gates']>;
  readonly verify?: readonly Without<PromotionLane['verify'][number], typeof verificationDefaults>[];
  readonly next?: readonly StoredLane[];
};

/** A task as it is kept in Redis: without what has its default value, because every waiting promotion keeps one. */
type StoredTask = Omit<PromotionTask, 'lane'> & { readonly lane: StoredLane };

/** The form of a task that is stored. The lane's id is left out, because it is a field of the record. */
export function storedTask({ lane, ...task }: PromotionTask): object {
  const { id: _, ...stored } = storedLane(lane);
  return { ...without(task, taskDefaults), lane: stored };
}

function storedLane({ gates, verify, next, ...lane }: PromotionLane): StoredLane {
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

/** Reads a stored task; a task that an older worker stored contains everything. `lane`: the id of its lane. */
export function readTask(text: string, lane: string): PromotionTask {
  const stored = JSON.parse(text) as StoredTask;
  return { ...stored, lane: readLane(stored.lane, lane) };
}

/** With what the type requires; what may be absent means the default. */
function readLane(stored: StoredLane, id: string): PromotionLane {
  const { gates, verify = [], next = [] } = stored;
  return {
    policy: 'latest',
    onFailure: 'hold',
    ...stored,
    id,
    gates: { approvals: 0, soak: 0, freeze: [], ...gates },
    verify: verify.map((verification) => ({ variables: {}, ...verification })),
    next: next.map((following) => readLane(following, following.id ?? '')),
  } as PromotionLane;
}
