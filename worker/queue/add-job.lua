--- include: fleeting-job.lua
-- Adds a job that waits, unless there is one with its id.
--
-- `bullmq_add_standard_job` is BullMQ's own script, put before this one (`fragments.ts`).
--
-- Defines add_job(queue, job). queue: the prefix of the queue's keys. job: id; name; data, as JSON; at, the time by BullMQ's clock;
-- options, of BullMQ; default: `fleeting_job`. Returns the job's id, or a negative number if BullMQ refuses the job.
local function add_job(queue, job)
  local keys = {}
  for i, name in ipairs({'wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'}) do keys[i] = queue .. name end
  local options = cmsgpack.pack(job.options or fleeting_job)
  return bullmq_add_standard_job(keys, {cmsgpack.pack({queue, job.id, job.name, job.at}), job.data, options})
end
