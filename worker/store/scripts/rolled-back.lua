--- include: audit.lua
--- include: take-back.lua
-- A version was taken out of the target. What the lane has verified stays what it has verified, and so does the
-- sequence, so that nothing older is promoted again (promise 4); what is live is the platform's to say.
--
-- Promotions of the version that had passed say so from now on: on GitHub they must not stay a success.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; version, that was taken out; live, that is used instead; by; via, that of the worker itself
-- writes no audit; data, of the history, as JSON; text, for GitHub.
-- Answers the promotions that have something new to report.
local L = lane_key(args.lane)
local touched = take_back(args.lane, args.version, args.data, args.text)
make_active(args.lane, args.live)
-- Found after a loss, and taken out: a push of its commit must not count as there already.
if redis.call('HGET', L, 'livePromotion') == '' and redis.call('HGET', L, 'liveVersion') == args.version then
  redis.call('HDEL', L, 'liveVersion', 'livePromotion', 'liveCommit', 'liveAt')
end
redis.call('HSET', L, 'takenOut', args.version)
-- Only the verified version is looked for in the target, and found disabled.
if redis.call('HGET', L, 'liveVersion') == args.version then redis.call('HSET', L, 'noticed', args.version) end
note(L, 'rolled-back', args.data)
if args.via ~= 'worker' then audit(args.by, args.via, 'rolled-back', args.lane, '', args.data) end
return touched
