import path from 'node:path';
import { readScript } from '../../lib/redis/scripts/lua-script.ts';
import { bullmqScripts } from './bullmq-scripts.ts';

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
