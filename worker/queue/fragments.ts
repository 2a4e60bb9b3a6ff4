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

/** Lua: `add_job` adds a job that waits. To be put before a script, such as all of these. */
export const addJob = bullmqScripts.addStandardJob + read('add-job.lua');

/** Lua: `add_delayed_job` adds a job that is due later, `remove_job` removes one that no consumer has. */
export const replaceDelayedJob =
  bullmqScripts.addDelayedJob + bullmqScripts.removeJob + read('replace-delayed-job.lua');

/** Lua: `take_next_job` takes the next job, `answer_job` answers it to the client. */
export const takeNextJob = bullmqScripts.moveToActive + read('take-next-job.lua');

/** Lua: `end_and_delay_job` delays a job whose work has ended, and may take the next one; `answer_job` answers that to the client. */
export const endAndDelayJob = bullmqScripts.moveToDelayed + read('end-and-delay-job.lua');
