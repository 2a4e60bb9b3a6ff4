--- include: audit.lua
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
local environment = environment_key(string.match(args.lane, '^[^/]+'), redis.call('HGET', L, 'project') or '', redis.call('HGET', L, 'to') or '')
local touched = {}
local function take_back(id)
  local R = promotion_key(id)
  local had = redis.call('HMGET', R, 'version', 'outcome', 'rolledBack')
  if had[1] ~= args.version or had[3] or (had[2] ~= 'passed' and had[2] ~= 'already-done') then return end
  redis.call('HSET', R, 'rolledBack', args.data)
  say(R, 'failure', args.text)
  note(R, 'rolled-back', args.data)
  redis.call('SADD', prefix .. ':open', id)
  table.insert(touched, id)
end
for _, id in ipairs(redis.call('ZRANGE', environment, 0, -1)) do take_back(id) end
-- One from before the order was kept.
local verified = redis.call('HGET', L, 'livePromotion')
if verified and verified ~= '' then take_back(verified) end
redis.call('HSET', environment .. ':github', 'liveVersion', args.live, 'livePlace', redis.call('INCR', prefix .. ':places'))
redis.call('HINCRBY', environment .. ':github', 'changes', 1)
redis.call('HDEL', environment .. ':github', 'floor')
-- Found after a loss, and taken out: a push of its commit must not count as there already.
if verified == '' and redis.call('HGET', L, 'liveVersion') == args.version then
  redis.call('HDEL', L, 'liveVersion', 'livePromotion', 'liveCommit', 'liveAt')
end
redis.call('HSET', L, 'takenOut', args.version)
-- Only the verified version is looked for in the target, and found disabled.
if redis.call('HGET', L, 'liveVersion') == args.version then redis.call('HSET', L, 'noticed', args.version) end
note(L, 'rolled-back', args.data)
if args.via ~= 'worker' then audit(args.by, args.via, 'rolled-back', args.lane, '', args.data) end
return touched
