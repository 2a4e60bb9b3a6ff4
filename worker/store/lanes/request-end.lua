--- include: ../scripts/lane-rules.lua
-- Requests the end of a promotion. A queued one ends at once. An active one is marked; its next advance terminates what
-- runs on the platform and ends it.
--
-- Arguments: promotion; text, what ends it, such as `cancelled by ada`; suffix, for the report of a queued one; data, of the
-- history, as JSON. Defines request_end, which answers `unknown`, `ended`, `over` or `requested`.
local function request_end(promotion, text, suffix, data)
  local R = promotion_key(promotion)
  local state = redis.call('HGET', R, 'state')
  if not state then return 'unknown' end
  -- A queued promotion that was resolved has begun: its next advance ends it, like an active one.
  if state == 'queued' and not has_begun(promotion) then
    local message = string.upper(string.sub(text, 1, 1)) .. string.sub(text, 2)
    redis.call('LREM', lane_key(redis.call('HGET', R, 'lane')) .. ':queue', 0, promotion)
    redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', message, 'endedAt', now)
    set_report(promotion, 'error', message .. suffix)
    append_promotion_history(R, 'cancelled', data)
    return 'ended'
  end
  if state ~= 'active' and state ~= 'queued' then return 'over' end
  redis.call('HSETNX', R, 'cancel', text)
  append_promotion_history(R, 'cancel-requested', data)
  request_advance(promotion)
  return 'requested'
end
