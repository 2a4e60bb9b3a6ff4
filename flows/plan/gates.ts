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
  };
}

/** What a worker says about the lanes from source to target; or the reason why it is not known. */
export type GatesAnswer = { readonly gates: readonly PlannedGate[] } | { readonly reason: string };
