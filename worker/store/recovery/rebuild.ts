import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript, nothing } from '../scripts/lane-script.ts';

export interface RebuildArguments {
  readonly lane: string;
  /** As JSON. */
  readonly hold: string;
  /** What is live in the target, if anything is; the commit may be ''. */
  readonly live: { readonly version: string; readonly commit: string } | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/** Creates the record of a lane again, on hold, after the records were lost. */
export const rebuild = laneScript<RebuildArguments, void>(import.meta.dirname, 'rebuild-lane.lua', nothing);

export interface ClaimArguments {
  /** Version of Millrace. */
  readonly version: string;
  /** The marker that the caller knows; '' at its start. */
  readonly known: string;
  /** Id for a new marker; no other marker has it. */
  readonly fresh: string;
  /** What an empty Redis means at the start. */
  readonly emptyMeans: 'new' | 'lost';
  /** As JSON. */
  readonly hold: string;
  /** Ids of the repositories whose lanes are to be rebuilt. */
  readonly repositories: readonly string[];
  /** The repository about which the caller asks. */
  readonly repository: string | undefined;
}

export interface ClaimAnswer {
  /** The current marker. */
  readonly marker: string;
  readonly status: 'same' | 'new' | 'lost';
  /** The earlier format of the records, if the call has raised it. */
  readonly raised: number | undefined;
  /** Whether the lanes of the repository are not rebuilt yet. */
  readonly isRebuilding: boolean;
}

/**
 * Compares the marker of the records with a known marker. A different one means that the records were lost. Key:
 * the marker.
 */
export const claim = laneScript<ClaimArguments, ClaimAnswer>(
  import.meta.dirname,
  'claim-state.lua',
  ([marker = '', ...rest]) => ({
    marker,
    status: statusIn('same', 'new', 'lost')(rest),
    raised: Number(rest[1]) || undefined,
    isRebuilding: rest[2] === '1',
  }),
);
