--- include: lane-rules.lua
-- Writes into a promotion's history what became of its report.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; what; data.
-- Answers nothing of use.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 1 then note(R, args.what, args.data) end
return {'ok'}
