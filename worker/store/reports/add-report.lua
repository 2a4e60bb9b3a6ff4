-- Adds the job that reports a state of a promotion to GitHub, after a short delay: of several states in a row GitHub gets the
-- last. The job of the state before would find nothing to send, and is removed, unless it runs now.
--
-- `add_delayed_job` and `remove_job` are put before this script (`worker/queue/fragments.ts`).
--
-- Defines add_report(promotion, at, delay). at: the time by BullMQ's clock; delay in milliseconds.
local function add_report(promotion, at, delay)
  local queue = prefix .. ':report:'
  local seq = number_in(promotion_key(promotion), 'reportSeq')
  local function job_of(state) return string.format('s-%s-%.0f', promotion, state) end
  local data = cjson.encode({promotionId = promotion, seq = seq})
  add_delayed_job(queue, {id = job_of(seq), name = 'report', data = data, at = at}, delay)
  if seq > 1 then remove_job(queue, job_of(seq - 1)) end
end
