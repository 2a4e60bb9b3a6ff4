-- Adds the job that reports a state of a promotion to GitHub, after a short delay: of several states in a row GitHub gets the
-- last. The job of the state before it would find nothing to send, and is removed; one that runs now stays.
--
-- `add_delayed_job` and `remove_job` are BullMQ's own scripts, put before this one (`bullmq-functions.ts`).
--
-- Defines add_report(promotion, at, delay). at: the time by BullMQ's clock; delay in milliseconds.
local function add_report(promotion, at, delay)
  local queue = prefix .. ':report:'
  local seq = number_in(promotion_key(promotion), 'reportSeq')
  local function job_of(state) return string.format('s-%s-%.0f', promotion, state) end
  local keys = {}
  for i, name in ipairs({'marker', 'meta', 'id', 'delayed', 'completed', 'events'}) do keys[i] = queue .. name end
  local job = job_of(seq)
  -- Without its id, which BullMQ would store once more.
  local options = {delay = delay, removeOnComplete = true, removeOnFail = true}
  local data = cjson.encode({promotionId = promotion, seq = seq})
  add_delayed_job(keys, {cmsgpack.pack({queue, job, 'report', at}), data, cmsgpack.pack(options)})
  if seq > 1 then remove_job({queue .. job_of(seq - 1), queue .. 'repeat'}, {job_of(seq - 1), '1', queue}) end
end
