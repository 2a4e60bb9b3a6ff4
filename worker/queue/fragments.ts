import path from 'node:path';
import { addDelayedJob } from 'bullmq/dist/esm/scripts/addDelayedJob-6.js';
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import { moveToActive } from 'bullmq/dist/esm/scripts/moveToActive-11.js';
import { moveToDelayed } from 'bullmq/dist/esm/scripts/moveToDelayed-11.js';
import { removeJob } from 'bullmq/dist/esm/scripts/removeJob-2.js';
import { readScript } from '../../lib/redis/scripts/lua-script.ts';

const functionOf = (name: string, { content }: { readonly content: string }): string =>
  `local function ${name}(KEYS, ARGV)\n${content}\nend\n`;

/**
 * BullMQ's scripts as Lua functions. Its documented interface lacks them: its version is pinned, and tests compare
 * its jobs with the jobs of our scripts.
 */
const bullmqScripts = {
  addStandardJob: functionOf('bullmq_add_standard_job', addStandardJob),
  addDelayedJob: functionOf('bullmq_add_delayed_job', addDelayedJob),
  moveToActive: functionOf('bullmq_move_to_active', moveToActive),
  moveToDelayed: functionOf('bullmq_move_to_delayed', moveToDelayed),
  removeJob: functionOf('bullmq_remove_job', removeJob),
};

const read = (file: string): string => `${readScript(path.join(import.meta.dirname, file)).source}\n`;

/** Lua: defines `add_job`, which adds a job that waits. Put this text before a script, like all texts in this file. */
export const addJob = bullmqScripts.addStandardJob + read('add-job.lua');

/**
 * Lua: defines `add_delayed_job`, which adds a job that is due later, and `remove_job`, which removes a job that no
 * consumer has.
 */
export const replaceDelayedJob =
  bullmqScripts.addDelayedJob + bullmqScripts.removeJob + read('replace-delayed-job.lua');

/** Lua: defines `take_next_job`, which takes the next job, and `answer_job`, which returns it to the client. */
export const takeNextJob = bullmqScripts.moveToActive + read('take-next-job.lua');

/**
 * Lua: defines `end_and_delay_job`, which delays a job whose work has ended and may take the next job, and
 * `answer_job`, which returns the result to the client.
 */
export const endAndDelayJob = bullmqScripts.moveToDelayed + read('end-and-delay-job.lua');
