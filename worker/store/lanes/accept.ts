import type { AuditEntry } from '../../records/audit-entry.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { addJob } from '../../queue/fragments.ts';
import { laneScript } from '../scripts/lane-script.ts';

export interface AcceptArguments {
  readonly lane: string;
  readonly promotion: string;
  readonly policy: PromotionLane['policy'];
  readonly order: 'differs' | 'greater' | 'any' | 'older';
  readonly newer: string;
  readonly isSameCommit: boolean;
  readonly headField: string;
  readonly head: string;
  readonly expectedSeq: number | undefined;
  readonly ref: string;
  readonly headSince: number | undefined;
  readonly maxCancels: number;
  /** Name of the version, as shown. */
  readonly name: string;
  /** As JSON. */
  readonly lostHold: string;
  readonly promotionFields: Readonly<Record<string, string>>;
  readonly laneFields: Readonly<Record<string, string>>;
  readonly commit: string;
  /** Name of its environment. */
  readonly target: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses, if the started promotion gets its job. */
  readonly advanceAt: number | undefined;
  readonly audit: Pick<AuditEntry, 'by' | 'via' | 'act' | 'data'> | undefined;
}

export type AcceptAnswer =
  | { readonly status: 'duplicate' | 'changed' | 'moved' | 'lost' }
  | {
      readonly status: 'accepted';
      readonly seq: number;
      readonly started: string;
      readonly superseded: number;
      readonly touched: readonly string[];
    };

/** Accepts a version into a lane, or returns the reason why not. */
export const accept = laneScript<AcceptArguments, AcceptAnswer>(
  import.meta.dirname,
  'accept.lua',
  readAccepted,
  {
    before: addJob,
    isWord: ({ status }, { audit }) => status === 'accepted' && audit !== undefined,
  },
);

function readAccepted(answer: readonly string[]): AcceptAnswer {
  const status = statusIn('accepted', 'duplicate', 'changed', 'moved', 'lost')(answer);
  if (status !== 'accepted') return { status };
  const [, seq, started = '', superseded, ...touched] = answer;
  return { status, seq: Number(seq), started, superseded: Number(superseded), touched };
}
