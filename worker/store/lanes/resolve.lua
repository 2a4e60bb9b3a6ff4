--- include: ../scripts/audit.lua
-- Continues a promotion that ended as indeterminate, at the step that it has reached according to a person. It
-- goes to the front of the queue. The hold that it set is lifted; other holds remain.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, by, via; step, as JSON; keepIntent; verdict, as JSON.
-- Answers `ok`, the active promotion of the lane or '', and how many ended as superseded; or `not-indeterminate`,
-- `busy`, `passed-by`.
local lane, promotion, by, via = args.lane, args.promotion, args.by, args.via
local L, R = lane_key(lane), promotion_key(promotion)
if redis.call('HGET', R, 'state') ~= 'finished' or redis.call('HGET', R, 'outcome') ~= 'indeterminate' then return {'not-indeterminate'} end
if redis.call('HEXISTS', L, 'active') == 1 then return {'busy'} end
if number_in(R, 'seq') <= number_in(L, 'liveSeq') then return {'passed-by'} end
local lifted = lift_holds(L, function(one) return one.cause == 'indeterminate' and one.promotion == promotion end)
if #lifted > 0 then append_lane_history(L, 'resumed', lifted_as_json(by, via, 'the promotion was resolved', lifted)) end
redis.call('HDEL', R, 'outcome', 'message', 'endedAt', 'cancel')
redis.call('HSET', R, 'state', 'queued', 'step', args.step, 'unfinished', 0)
if not args.keepIntent then redis.call('HSET', R, 'intent', '') end
redis.call('LPUSH', L .. ':queue', promotion)
redis.call('SADD', prefix .. ':open', promotion)
append_promotion_history(R, 'verdict', args.verdict)
audit(by, via, 'resolve', lane, promotion, args.verdict)
local started = start_next(lane)
if started ~= '' then request_advance(started) end
set_report(promotion, 'pending', started == promotion and 'Continues: resolved by ' .. by or 'Waiting: the lane is on hold')
return {'ok', started, superseded}
