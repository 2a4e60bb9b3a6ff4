--- include: ../lanes/contributors.lua
--- include: ../scripts/entries.lua
-- Ends a promotion and starts the next one of the lane.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence; rest, of `record_rest`; what, for the history before the end, once the result of the last intent is
-- known, or nothing; data of that entry, as JSON or ''; outcome; message; report: state, text and at, the time by BullMQ's clock; verified, the version
-- that is verified now, or nothing; refuted, the version whose verification failed, or nothing; target, the digest of
-- the environment, or nothing; hold, as JSON, or nothing; state, `following` if other lanes follow this one,
-- otherwise `finished`.
-- The job that reports the end is added in the same step.
-- Answers `ok`, the active promotion of the lane or '', and how many ended as superseded; or `fenced`.
if not holds_fence() then return {'fenced'} end
record_rest()
local promotion, version = args.promotion, args.verified
local L, R = lane_key(args.lane), promotion_key(promotion)
if args.what then
  redis.call('HSET', R, 'intent', '')
  append_promotion_history(R, args.what, args.data)
end
redis.call('HSET', R, 'state', args.state, 'outcome', args.outcome, 'message', args.message, 'endedAt', now)
drop_fence()
set_report(promotion, args.report.state, args.report.text)
append_promotion_history(R, 'ended', args.outcome)
if number_in(R, 'reportSeq') > number_in(R, 'reported') then add_report(promotion, args.report.at, 0) end
if args.target then
  local known = prefix .. ':verified:' .. args.target
  -- Older workers recorded only the last one.
  if redis.call('EXISTS', known) == 0 then
    local last = redis.call('HMGET', L, 'liveVersion', 'livePromotion', 'liveAt')
    if last[1] and (last[2] or '') ~= '' then redis.call('ZADD', known, last[3] or 0, last[1]) end
  end
  if version then
    redis.call('ZADD', known, now, version)
    redis.call('ZREMRANGEBYRANK', known, 0, -1001)
  end
  -- Keeps the set even if it would be empty: no version has the name ''.
  if args.refuted and redis.call('ZREM', known, args.refuted) == 1 then redis.call('ZADD', known, 0, '') end
end
if version then
  redis.call('HSET', L, 'liveSeq', redis.call('HGET', R, 'seq'), 'liveVersion', version, 'livePromotion', promotion, 'liveAt', now)
  -- The record of the promotion is deleted after some time.
  redis.call('HSET', L, 'cancels', 0, 'liveCommit', redis.call('HGET', R, 'artifactCommit') or '')
  redis.call('HDEL', L, 'noticed', 'takenOut')
  forget_contributors(L, number_in(R, 'seq'))
  append_lane_history(L, 'verified', version)
end
if args.hold then hold_lane(L, args.hold) end
-- In the order in which they ended: the following lanes get them in this order.
if args.state == 'following' then redis.call('RPUSH', L .. ':following', promotion) end
redis.call('HDEL', L, 'active')
local started = start_next(args.lane)
return {'ok', started, superseded}
