--- include: ../scripts/audit.lua
-- Holds a lane.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; hold, as JSON; by, via; missing, a version that was found missing, or nothing: it
-- counts once.
-- Changes fields of the lane: hold and holdCount; with `missing` also noticed and takenOut.
-- Answers `ok`, `unknown`, `noticed` or `full`.
local L = lane_key(args.lane)
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
if args.missing then
  if redis.call('HGET', L, 'noticed') == args.missing then return {'noticed'} end
  redis.call('HSET', L, 'noticed', args.missing, 'takenOut', args.missing)
end
-- The limit of holds: more than a person reads. A hold by the worker itself is never refused.
if args.via ~= 'worker' and #holds_of(L) >= 50 then return {'full'} end
hold_lane(L, args.hold)
audit(args.by, args.via, 'hold', args.lane, '', args.hold)
return {'ok'}
