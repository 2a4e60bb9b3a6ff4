import type { Via } from '../../records/audit-entry.ts';
import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript } from '../scripts/lane-script.ts';

export interface ResolveArguments {
  readonly lane: string;
  readonly promotion: string;
  readonly by: string;
  readonly via: Via;
  /** As JSON. */
  readonly step: string;
  readonly keepIntent: boolean;
  /** As JSON. */
  readonly verdict: string;
}

export interface ResolveAnswer {
  readonly status: 'ok' | 'not-indeterminate' | 'busy' | 'passed-by';
  /** The active promotion of the lane, or ''. */
  readonly started: string;
  readonly superseded: number;
}

/** Continues a promotion that ended as indeterminate. */
export const resolve = laneScript<ResolveArguments, ResolveAnswer>(
  import.meta.dirname,
  'resolve.lua',
  (answer) => {
    const [, started = '', superseded = '0'] = answer;
    return {
      status: statusIn('ok', 'not-indeterminate', 'busy', 'passed-by')(answer),
      started,
      superseded: Number(superseded),
    };
  },
  { isWord: ({ status }) => status === 'ok' },
);
