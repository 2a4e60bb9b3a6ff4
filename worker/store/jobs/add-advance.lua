-- Adds the job that advances a promotion, unless there is one. `add_job` is put before this script (`worker/queue/fragments.ts`).
--
-- Defines add_advance(prefix, promotion, at). prefix: of all keys; at: the time by BullMQ's clock.
local function add_advance(prefix, promotion, at)
  local data = cjson.encode({promotionId = promotion})
  return add_job(prefix .. ':promotion:', {id = 'r-' .. promotion, name = 'advance', data = data, at = at})
end
