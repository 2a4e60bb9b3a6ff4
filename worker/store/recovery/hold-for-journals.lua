--- include: ../scripts/epoch.lua
-- Holds all lanes, because journals are not compared: an operator may have stopped each of them.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, without memory; hold, as JSON.
-- Answers 1 if this call did it, otherwise 0.
if redis.call('SCARD', uncompared) == 0 or hold_for_journals() then return {0} end
redis.call('HSET', epoch, 'journalsHold', args.hold, 'journalsHeld', 1)
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. ':lanes')) do hold_lane(lane_key(lane), args.hold) end
return {1}
