--- include: fleeting-job.lua
-- Adds a job that is due later, and removes the one that it replaces.
--
-- `bullmq_add_delayed_job` and `bullmq_remove_job` are BullMQ's own scripts, put before this one (`fragments.ts`).
--
-- Defines add_delayed_job(queue, job, delay): as `add_job`, with a delay in milliseconds. Defines remove_job(queue, id): removes a
-- job, unless a consumer has it.
local function add_delayed_job(queue, job, delay)
  local keys = {}
  for i, name in ipairs({'marker', 'meta', 'id', 'delayed', 'completed', 'events'}) do keys[i] = queue .. name end
  local options = {delay = delay}
  for name, value in pairs(job.options or fleeting_job) do options[name] = value end
  return bullmq_add_delayed_job(keys, {cmsgpack.pack({queue, job.id, job.name, job.at}), job.data, cmsgpack.pack(options)})
end
local function remove_job(queue, id)
  return bullmq_remove_job({queue .. id, queue .. 'repeat'}, {id, '1', queue})
end
