--- include: ../scripts/lane-rules.lua
-- Lanes whose records are older than what happened. A lane that is gone as well is held when it is accepted again (`accept.lua`).
--
-- Defines hold_older, hold_all_older and older_hold.
local older_key, all_older_key = prefix .. ':lanes:older', prefix .. ':lanes:all-older'
local function hold_older(lane, hold)
  if redis.call('EXISTS', lane_key(lane)) == 1 then
    hold_lane(lane_key(lane), hold)
  else
    redis.call('HSET', older_key, lane, hold)
  end
end
-- Returns the lanes. Lanes that are gone are found again within a day.
local function hold_all_older(hold)
  local lanes = redis.call('SMEMBERS', prefix .. ':lanes')
  for _, lane in ipairs(lanes) do hold_older(lane, hold) end
  redis.call('SET', all_older_key, hold, 'EX', 86400)
  return lanes
end
-- The hold of a lane that is accepted, and that the records do not have; nothing if it is new.
local function older_hold(lane)
  local hold = redis.call('HGET', older_key, lane)
  if hold then redis.call('HDEL', older_key, lane) end
  return hold or redis.call('GET', all_older_key)
end
