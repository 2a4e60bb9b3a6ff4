--- include: taken-job.lua
-- Takes the next job of a queue.
--
-- `bullmq_move_to_active` is BullMQ's own script, put before this one (`fragments.ts`).
--
-- Defines take_next_job(queue, consumer). queue: the prefix of the queue's keys. consumer: token, of the lock of the job; lockMs; at,
-- the time by BullMQ's clock. Returns as `read_taken`.
local function take_next_job(queue, consumer)
  local keys = {}
  for i, name in ipairs({'wait', 'active', 'prioritized', 'events', 'stalled', 'limiter', 'delayed', 'paused', 'meta', 'pc', 'marker'}) do
    keys[i] = queue .. name
  end
  local options = cmsgpack.pack({token = consumer.token, lockDuration = consumer.lockMs})
  return read_taken(bullmq_move_to_active(keys, {queue, string.format('%.0f', consumer.at), options}), queue)
end
