--- include: audit.lua
-- A version was taken out of the target. What the lane has verified stays what it has verified, and so does the
-- sequence, so that nothing older is promoted again (promise 4); what is live is the platform's to say.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; version, that was taken out; by; via, that of the worker itself writes no audit; data, of
-- the history, as JSON.
-- Answers nothing of use.
local L = lane_key(args.lane)
-- Found after a loss, and taken out: a push of its commit must not count as there already.
if redis.call('HGET', L, 'livePromotion') == '' and redis.call('HGET', L, 'liveVersion') == args.version then
  redis.call('HDEL', L, 'liveVersion', 'livePromotion', 'liveCommit', 'liveAt')
end
redis.call('HSET', L, 'noticed', args.version)
note(L, 'rolled-back', args.data)
if args.via ~= 'worker' then audit(args.by, args.via, 'rolled-back', args.lane, '', args.data) end
return {'ok'}
