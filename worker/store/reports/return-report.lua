--- include: ../scripts/lane-rules.lua
-- Releases the report of a promotion, which `take-report.lua` took.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; sent, the sequence that was sent, or nothing if it could not be sent; plan, the digest of the plan that the
-- update had, or nothing; leaseUntil, as the
-- sender took it, or nothing for one that sent nothing; knownFormat, the newest of the records that the caller knows.
-- Closes a promotion that has finished and of which everything is sent, if the caller knows the format of the records.
-- Answers `more` if more is to be sent, `done`, or `late`: another sender had the report since, because this one was
-- frozen. What it sent may have arrived after what the other sent, so everything must be sent again.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 0 then return {'done'} end
if args.leaseUntil and number_in(R, 'reportingUntil') ~= args.leaseUntil then
  redis.call('HINCRBY', R, 'reportSeq', 1)
  redis.call('SADD', prefix .. ':open', args.promotion)
  track_unsent(args.promotion, now)
  return {'late'}
end
redis.call('HDEL', R, 'reportingUntil')
if args.sent then
  redis.call('HSET', R, 'reported', args.sent)
  if redis.call('HEXISTS', R, 'endedAt') == 1 then redis.call('HSETNX', R, 'endSentAt', now) end
  redis.call('HDEL', R, 'reporting')
  if args.plan and redis.call('HGET', R, 'planShown') ~= args.plan then
    -- An answer with another plan may arrive later (`note-plan-shown.lua`): then it is not known which one a person sees.
    local is_answered = number_in(R, 'planAnsweredUntil') > now and redis.call('HGET', R, 'planAnswered') ~= args.plan
    if is_answered then
      redis.call('HDEL', R, 'planShown', 'planShownAt')
    else
      redis.call('HSET', R, 'planShown', args.plan, 'planShownAt', now)
    end
  end
  redis.call('ZREM', unsent_key, args.promotion)
  track_unsent(args.promotion, number_in(R, 'reportAt'))
end
if number_in(R, 'reportSeq') > number_in(R, 'reported') then return {'more'} end
local is_known = stored_format <= (args.knownFormat or 0)
if args.sent and is_known and redis.call('HGET', R, 'state') == 'finished' then redis.call('SREM', prefix .. ':open', args.promotion) end
return {'done'}
