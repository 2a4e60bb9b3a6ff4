--- include: ../scripts/lane-rules.lua
-- Records which plan of a promotion GitHub shows, besides what its report shows.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; plan, its digest; isShown, whether GitHub shows it, or may show it soon: then it is not
-- known which plan a person sees.
-- Answers `ok`.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 0 or redis.call('HGET', R, 'planShown') == args.plan then return {'ok'} end
if args.isShown then
  redis.call('HSET', R, 'planShown', args.plan, 'planShownAt', now)
else
  redis.call('HDEL', R, 'planShown', 'planShownAt')
end
return {'ok'}
