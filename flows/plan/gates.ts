/** A plan as the worker that made it shows it, as far as this one can be compared with it. */
export interface WorkerPlan {
  /** SHA-256, which only a worker can compute. */
  readonly digest: string;
  /** Twelve hexadecimal digits of the digest, for an approval. */
  readonly id: string;
  /** `enabled`: in the source; null if the source does not have the version. */
  readonly wanted: {
    readonly version: string;
    readonly commit: string | null;
    readonly enabled: boolean | null;
  };
  /** Null if nothing is live. */
  readonly live: { readonly version: string; readonly commit: string | null } | null;
  readonly wayBack: string | null;
  /** The digests of both snapshots; null for one that the worker does not know. */
  readonly snapshots: { readonly live: string | null; readonly wanted: string | null };
  /** Null if they are not known. The sources are texts, such as `own value`. */
  readonly variables: {
    readonly notCompared: number;
    readonly differences: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  } | null;
}

/** The plan of a worker beside this one. */
export interface ComparedPlan {
  readonly digest: string;
  readonly id: string;
  /** What the worker's plan says otherwise, one clause each; empty if it says the same, as far as both know. */
  readonly differs: readonly string[];
}

/** A lane of a worker, as the worker reports it. */
export interface LaneGate {
  readonly lane: string;
  readonly holds: readonly string[];
  readonly promotion?: Omit<NonNullable<PlannedGate['promotion']>, 'plan'> & {
    readonly plan?: WorkerPlan;
  };
}

/** What holds a promotion back in one lane, as the worker reports it. */
export interface PlannedGate {
  readonly lane: string;
  /** Why the lane is on hold or paused, one text each. */
  readonly holds: readonly string[];
  /** The promotion of the version in this lane; left out if there is none that has not ended. */
  readonly promotion?: {
    readonly id: string;
    /** The gate that it waits at; left out if it does not wait at one. */
    readonly waitsFor?: string;
    readonly approvals?: { readonly needed: number; readonly given: readonly string[] };
    /** The plan that approvals are for; left out if the worker has made none. */
    readonly plan?: ComparedPlan;
  };
}

/** What a worker says about the lanes from source to target; or the reason why it is not known. */
export type GatesAnswer = { readonly gates: readonly LaneGate[] } | { readonly reason: string };
