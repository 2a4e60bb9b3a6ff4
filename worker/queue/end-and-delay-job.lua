--- include: taken-job.lua
-- Delays a job whose work has ended, and takes the next job of the queue.
--
-- `bullmq_move_to_delayed` is BullMQ's own script, put before this one (`fragments.ts`): it does both.
--
-- Defines end_and_delay_job(queue, job, next_lock_ms). queue: the prefix of the queue's keys. job: id; token, of its lock; at, the time
-- by BullMQ's clock; delay, in milliseconds. next_lock_ms: of the lock of the next job, which has the same token; nothing if none
-- is to be taken. Returns `moved`, and the next job as `read_taken`; or `lost` if the caller no longer has the job.
local function end_and_delay_job(queue, job, next_lock_ms)
  local keys = {}
  for i, name in ipairs({'marker', 'active', 'prioritized', 'delayed', job.id, 'events', 'meta', 'stalled', 'wait', 'limiter', 'pc'}) do
    keys[i] = queue .. name
  end
  local options = next_lock_ms and cmsgpack.pack({token = job.token, lockDuration = next_lock_ms}) or ''
  local moved = bullmq_move_to_delayed(keys, {queue, string.format('%.0f', job.at), job.id, job.token, string.format('%.0f', job.delay),
    '1', '', next_lock_ms and '1' or '0', options})
  if type(moved) == 'table' then return 'moved', read_taken(moved, queue) end
  return moved == 0 and 'moved' or 'lost'
end
