--- include: ../scripts/lane-rules.lua
-- Records which plan of a promotion GitHub shows, besides what its report shows.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; plan, its digest; isShown, whether GitHub shows it, or may show it soon: then it is not
-- known which plan a person sees.
-- While an answer may be on its way, for at most two minutes, a report of another plan does not count as shown last.
-- Answers `ok`.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 0 then return {'ok'} end
local is_shown = redis.call('HGET', R, 'planShown') == args.plan
if args.isShown then
  redis.call('HDEL', R, 'planAnswered', 'planAnsweredUntil')
  if not is_shown then redis.call('HSET', R, 'planShown', args.plan, 'planShownAt', now) end
else
  redis.call('HSET', R, 'planAnswered', args.plan, 'planAnsweredUntil', now + 120000)
  if not is_shown then redis.call('HDEL', R, 'planShown', 'planShownAt') end
end
return {'ok'}
