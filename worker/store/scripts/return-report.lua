--- include: lane-rules.lua
-- Gives back the report of a promotion.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; sent, the sequence that was sent, or nothing where it could not be; leaseUntil, as the
-- sender took it, or nothing for one that sent nothing.
-- Answers `more` where more is to be sent, `done`, or `late`: somebody else had the report since, because this sender was
-- frozen; what it sent may have landed after what the other sent, so all is to be sent again.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 0 then return {'done'} end
if args.leaseUntil and number_in(R, 'reportingUntil') ~= args.leaseUntil then
  redis.call('HINCRBY', R, 'reportSeq', 1)
  redis.call('SADD', prefix .. ':open', args.promotion)
  return {'late'}
end
redis.call('HDEL', R, 'reportingUntil')
if args.sent then
  redis.call('HSET', R, 'reported', args.sent)
  redis.call('HDEL', R, 'reporting')
end
return {number_in(R, 'reportSeq') > number_in(R, 'reported') and 'more' or 'done'}
