--- include: audit.lua
-- Continues a promotion that ended as indeterminate, at the step that a person has said it has reached. It comes
-- before all that wait; the hold that it set itself is lifted, any other one stays.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, by, via; step, as JSON; keepIntent; verdict, as JSON.
-- Answers `ok`, the promotion that has the lane now or '', and how many ended as superseded; or `not-indeterminate`,
-- `busy`, `passed-by`.
local lane, promotion, by, via = args.lane, args.promotion, args.by, args.via
local L, R = lane_key(lane), promotion_key(promotion)
if redis.call('HGET', R, 'state') ~= 'finished' or redis.call('HGET', R, 'outcome') ~= 'indeterminate' then return {'not-indeterminate'} end
if redis.call('HEXISTS', L, 'active') == 1 then return {'busy'} end
if number_in(R, 'seq') <= number_in(L, 'liveSeq') then return {'passed-by'} end
local lifted = lift_holds(L, function(one) return one.cause == 'indeterminate' and one.promotion == promotion end)
if #lifted > 0 then note(L, 'resumed', lifted_as_json(by, via, 'the promotion was resolved', lifted)) end
redis.call('HDEL', R, 'outcome', 'message', 'endedAt', 'cancel')
redis.call('HSET', R, 'state', 'queued', 'step', args.step, 'unfinished', 0)
if not args.keepIntent then redis.call('HSET', R, 'intent', '') end
redis.call('LPUSH', L .. ':queue', promotion)
redis.call('SADD', prefix .. ':open', promotion)
note(R, 'verdict', args.verdict)
audit(by, via, 'resolve', lane, promotion, args.verdict)
local started = kick(lane)
if started ~= '' then request_advance(started) end
say(R, 'pending', started == promotion and 'Continues: resolved by ' .. by or 'Waiting: the lane is on hold')
return {'ok', started, superseded}
