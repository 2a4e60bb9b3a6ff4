import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';
import type { LaneArguments } from '../scripts/lane-script.ts';

/**
 * Arguments without the memory of the worker, because these scripts are about all lanes. A type, because the compiler
 * does not accept an interface as JSON.
 */
type Common = Omit<LaneArguments, 'memory' | 'word'>;

type CompareArguments = Common & {
  /** Id of the journal. */
  readonly journal: string;
  /** `lane`: its id; undefined for all. `hold`: as JSON. */
  readonly words: readonly {
    readonly id: string;
    readonly lane: string | undefined;
    readonly hold: string;
  }[];
};

/** Holds the lanes for which a journal has an action that Redis does not know. Returns these lanes. */
export const compareJournal: Script<CompareArguments, readonly string[]> = loadScript(
  import.meta.dirname,
  'compare-journal.lua',
  (lanes) => lanes,
);

type CheckArguments = Common & {
  /** The journal of the worker; undefined if it has none. */
  readonly own: string | undefined;
  /** Journals that no running worker has. */
  readonly others: readonly string[];
  /** All journals as the worker knew them at the last check. */
  readonly peers: readonly string[];
};

/** The journals that must be compared. */
export interface CheckAnswer {
  /** Whether the wait is over: the lanes are to be held. */
  readonly isLate: boolean;
  /** Whether nothing takes effect in any lane until then. */
  readonly isWaiting: boolean;
  /** The journals in `own` and `others` that are not compared since Redis was started. */
  readonly toCompare: readonly string[];
  /** All journals that are not compared since then. */
  readonly uncompared: readonly string[];
  /** All journals that Redis knows. */
  readonly registered: readonly string[];
}

/** Records that the worker of a journal runs, and returns the journals that must be compared. */
export const checkJournals: Script<CheckArguments, CheckAnswer> = loadScript(
  import.meta.dirname,
  'check-journals.lua',
  ([late, waiting, ...lists]) => {
    const [toCompare = [], uncompared = [], registered = []] = lists.map((list) =>
      list === '' ? [] : list.split(' '),
    );
    return { isLate: late === '1', isWaiting: waiting === '1', toCompare, uncompared, registered };
  },
);

type HoldArguments = Common & {
  /** As JSON. */
  readonly hold: string;
};

/** Holds all lanes, because journals were not compared in time. Returns whether this call did it. */
export const holdForJournals: Script<HoldArguments, boolean> = loadScript(
  import.meta.dirname,
  'hold-for-journals.lua',
  ([held]) => held === '1',
);
