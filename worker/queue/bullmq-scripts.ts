// No part of BullMQ's documented interface; its version is pinned, and tests compare its jobs with the jobs of our scripts.
import { addDelayedJob } from 'bullmq/dist/esm/scripts/addDelayedJob-6.js';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import { moveToActive } from 'bullmq/dist/esm/scripts/moveToActive-11.js';
import { moveToDelayed } from 'bullmq/dist/esm/scripts/moveToDelayed-11.js';
import { removeJob } from 'bullmq/dist/esm/scripts/removeJob-2.js';

const functionOf = (name: string, { content }: { readonly content: string }): string =>
  `local function ${name}(KEYS, ARGV)\n${content}\nend\n`;

/** BullMQ's scripts as Lua functions. */
export const bullmqScripts = {
  addStandardJob: functionOf('bullmq_add_standard_job', addStandardJob),
  addDelayedJob: functionOf('bullmq_add_delayed_job', addDelayedJob),
  moveToActive: functionOf('bullmq_move_to_active', moveToActive),
  moveToDelayed: functionOf('bullmq_move_to_delayed', moveToDelayed),
  removeJob: functionOf('bullmq_remove_job', removeJob),
};
