--- include: audit.lua
-- Holds a lane for a roll-back by hand, unless a promotion is changing its target. It is one script, so that no effect
-- begins in between.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; hold, as JSON; by, via.
-- Answers `ok`, `unknown`, or `at-work` and the promotion.
local L = lane_key(args.lane)
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
local active = redis.call('HGET', L, 'active')
if active and has_begun(active) then return {'at-work', active} end
hold_lane(L, args.hold)
audit(args.by, args.via, 'hold', args.lane, '', args.hold)
return {'ok'}
