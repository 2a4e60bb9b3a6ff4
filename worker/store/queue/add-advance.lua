-- Adds the job that advances a promotion, unless there is one.
--
-- `add_standard_job` is BullMQ's own script, put before this one (`bullmq-functions.ts`). BullMQ would store the id of the job
-- in its options, too: without it they are so short that Redis keeps the job in half of the memory.
--
-- Defines add_advance(promotion, at). at: the time by BullMQ's clock.
local function add_advance(promotion, at)
  local queue = prefix .. ':promotion:'
  local keys = {}
  for i, name in ipairs({'wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'}) do keys[i] = queue .. name end
  local options = cmsgpack.pack({removeOnComplete = true, removeOnFail = true})
  local data = cjson.encode({promotionId = promotion})
  add_standard_job(keys, {cmsgpack.pack({queue, 'r-' .. promotion, 'advance', at}), data, options})
end
