// No part of BullMQ's documented interface; its version is pinned, and a test compares the job with one that it adds.
import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';
import { defineScript } from '../../store/script.ts';

/** So many keys of the queue come first, in the order of BullMQ's script. */
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

/**
 * Keeps events that were not kept before, as jobs. One step for each event, so that no crash can come between the job
 * and what makes a second delivery a duplicate: either both are there or neither. BullMQ's own script adds the job.
 *
 * KEYS: those of the queue; of each event what is remembered of its delivery and of its body. ARGV: prefix of the
 * queue's keys, options of the jobs as JSON, seconds to remember; of each event its job's name and id, the time of
 * its receipt in milliseconds, its data, GitHub's id of its delivery, its body's digest.
 * Answers for each event `accepted`, `duplicate`, or what went wrong.
 */
export const keep = defineScript(`
local queue = {}
for i = 1, 9 do queue[i] = KEYS[i] end
local prefix, seconds, options = ARGV[1], ARGV[3], cjson.decode(ARGV[2])
local function add(KEYS, ARGV)
${addStandardJob.content}
end
local function keep(delivery_key, body_key, name, id, at, data, delivery, digest)
  if redis.call('EXISTS', delivery_key, body_key) > 0 then
    redis.call('SET', delivery_key, '', 'EX', seconds, 'NX')
    return 'duplicate'
  end
  -- The job first: a failure here leaves the sender's next try free.
  options['jobId'] = id
  local job = cmsgpack.pack({prefix, id, name, tonumber(at)})
  local added = add(queue, {job, data, cmsgpack.pack(options)})
  if type(added) == 'number' and added < 0 then return 'BullMQ answered ' .. added end
  redis.call('SET', delivery_key, digest, 'EX', seconds)
  redis.call('SET', body_key, delivery, 'EX', seconds)
  return 'accepted'
end
local answers = {}
for i = 1, (#KEYS - 9) / 2 do
  local k, a = 8 + 2 * i, 6 * i - 2
  local done, said = pcall(keep, KEYS[k], KEYS[k + 1], unpack(ARGV, a, a + 5))
  if type(said) == 'table' then said = said.err end
  answers[i] = tostring(said)
end
return answers
`);
