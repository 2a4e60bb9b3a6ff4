// No part of BullMQ's documented interface; its version is pinned, and a test compares the job with one that it delays.
import { moveToDelayed } from 'bullmq/dist/esm/scripts/moveToDelayed-11.js';
import { statusIn } from '../lua-script.ts';
import { laneScript } from './lane-script.ts';

/** BullMQ's script as a function; Lua. */
export const moveToDelayedFunction = `local function move_to_delayed(KEYS, ARGV)
${moveToDelayed.content}
end
`;

export interface DelayArguments {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Id of the job. */
  readonly job: string;
  /** Of its lock. */
  readonly token: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
  /** Milliseconds until the next advance. */
  readonly delay: number;
}

/** Ends an advance and delays its job. `lost`: another worker has the job. */
export const endAndDelay = laneScript<DelayArguments, 'moved' | 'lost'>(
  'end-and-delay.lua',
  statusIn('moved', 'lost'),
  { repeats: true, mayMeetNewer: () => true, before: moveToDelayedFunction },
);
