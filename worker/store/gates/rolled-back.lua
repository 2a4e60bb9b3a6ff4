--- include: ../scripts/audit.lua
--- include: ../live/take-back.lua
-- Records that a version was rolled back in the target. The verified version and its sequence remain, so that nothing
-- older is promoted again (promise 4). Which version is live, only the platform knows.
--
-- The passed promotions of the version show the roll-back from now on: on GitHub they must not remain a success.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; version, that was disabled; live, that is live instead; by; via, `worker` writes no
-- audit; data, of the history, as JSON; text, for GitHub.
-- Answers the promotions with a new report.
local L = lane_key(args.lane)
local touched = mark_rolled_back(args.lane, args.version, args.data, args.text)
make_active(args.lane, args.live)
-- The worker's own roll-back ends with the report of its promotion.
if #touched == 0 and args.via ~= 'worker' then report_live_again(args.lane, args.live, args.live .. ' is live in ' .. (redis.call('HGET', L, 'to') or '') .. ' again') end
-- It was found live after a loss of the records, and is now disabled: a push of its commit must not count as done.
if redis.call('HGET', L, 'livePromotion') == '' and redis.call('HGET', L, 'liveVersion') == args.version then
  redis.call('HDEL', L, 'liveVersion', 'livePromotion', 'liveCommit', 'liveAt')
end
redis.call('HSET', L, 'takenOut', args.version)
-- Only the verified version is checked in the target; the check would find it disabled.
if redis.call('HGET', L, 'liveVersion') == args.version then redis.call('HSET', L, 'noticed', args.version) end
append_lane_history(L, 'rolled-back', args.data)
if args.via ~= 'worker' then audit(args.by, args.via, 'rolled-back', args.lane, '', args.data) end
return touched
