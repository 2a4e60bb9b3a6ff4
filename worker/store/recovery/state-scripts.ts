import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript, type LaneArguments } from '../scripts/lane-script.ts';

/** Types, because the compiler does not accept an interface as JSON. */
type HoldOlderArguments = Omit<LaneArguments, 'memory'> & {
  readonly worker: string;
  /** Number of the worker's last call. */
  readonly call: number;
  /** Holds as JSON by the ids of lanes. */
  readonly lanes: Readonly<Record<string, string>>;
  /** Holds as JSON by the ids of promotions. */
  readonly promotions: Readonly<Record<string, string>>;
  /** A hold for every lane. */
  readonly all: string | undefined;
};

/** Holds the lanes whose newest records Redis has lost. Returns these lanes. */
export const holdOlder: Script<HoldOlderArguments, readonly string[]> = loadScript(
  import.meta.dirname,
  'hold-older.lua',
  (lanes) => lanes,
);

interface EndCheckArguments {
  readonly lane: string;
  /** The process of Redis that had the records. */
  readonly run: string;
  /** As JSON. */
  readonly hold: string | undefined;
}

/** Ends the comparison of a lane's records, and holds the lane if they disagree. */
export const endCheck = laneScript<EndCheckArguments, 'held' | 'agrees' | 'late'>(
  import.meta.dirname,
  'end-check.lua',
  statusIn('held', 'agrees', 'late'),
  { repeats: true },
);
