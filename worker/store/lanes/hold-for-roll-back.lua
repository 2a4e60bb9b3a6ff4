--- include: ../scripts/audit.lua
-- Holds a lane for a roll-back by hand, unless a promotion is changing its target, in this lane or in another one. It is
-- one script, so that no effect of the lane begins in between.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; hold, as JSON; by, via.
-- Answers `ok`, `unknown`, or `at-work` and the promotion.
local L = lane_key(args.lane)
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
-- The id of a project may be spelled in upper or lower case.
local function target_of(key)
  local had = redis.call('HMGET', key, 'project', 'to')
  return string.lower(had[1] or '') .. '\n' .. (had[2] or '')
end
local target = target_of(L)
for _, lane in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local active = redis.call('HGET', lane_key(lane), 'active')
  if active and has_begun(active) and target_of(lane_key(lane)) == target then return {'at-work', active} end
end
hold_lane(L, args.hold)
audit(args.by, args.via, 'hold', args.lane, '', args.hold)
return {'ok'}
