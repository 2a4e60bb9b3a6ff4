// No part of BullMQ's documented interface; its version is pinned, and tests compare its jobs with the jobs of our scripts.
import { addDelayedJob } from 'bullmq/dist/esm/scripts/addDelayedJob-6.js';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import { moveToActive } from 'bullmq/dist/esm/scripts/moveToActive-11.js';
import { moveToDelayed } from 'bullmq/dist/esm/scripts/moveToDelayed-11.js';
import { removeJob } from 'bullmq/dist/esm/scripts/removeJob-2.js';

/** BullMQ's names of the keys of a queue, in the order of `add_standard_job`. */
export const queueKeyNames = [
  'wait',
  'paused',
  'meta',
  'id',
  'completed',
  'delayed',
  'active',
  'events',
  'marker',
] as const;

/** The same, in the order of `move_to_active`. */
export const activeKeyNames = [
  'wait',
  'active',
  'prioritized',
  'events',
  'stalled',
  'limiter',
  'delayed',
  'paused',
  'meta',
  'pc',
  'marker',
] as const;

const functionOf = (name: string, { content }: { readonly content: string }): string =>
  `local function ${name}(KEYS, ARGV)\n${content}\nend\n`;

/** BullMQ's scripts as Lua functions. */
export const addStandardJobFunction = functionOf('add_standard_job', addStandardJob);
export const addDelayedJobFunction = functionOf('add_delayed_job', addDelayedJob);
export const moveToActiveFunction = functionOf('move_to_active', moveToActive);
export const moveToDelayedFunction = functionOf('move_to_delayed', moveToDelayed);
export const removeJobFunction = functionOf('remove_job', removeJob);
