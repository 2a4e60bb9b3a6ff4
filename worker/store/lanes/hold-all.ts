import type { Via } from '../../records/audit-entry.ts';
import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';
import type { LaneArguments } from '../scripts/lane-script.ts';

/** A type, because the compiler does not accept an interface as JSON. */
type HoldAllArguments = Omit<LaneArguments, 'memory' | 'word'> & {
  /** As JSON. */
  readonly hold: string;
  /** Id for a new marker; no other marker has it. */
  readonly fresh: string;
  readonly by: string;
  readonly via: Via;
  readonly dryRun: boolean;
};

/**
 * Holds all lanes, including lanes that the records do not have yet. Returns the lanes in the records. Key: the
 * marker.
 */
export const holdAll: Script<HoldAllArguments, readonly string[]> = loadScript(
  import.meta.dirname,
  'hold-all.lua',
  (lanes) => lanes,
);
