--- include: ../scripts/lane-rules.lua
-- Records in a promotion's history what became of its report.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; what; data.
-- Answers `ok`.
local R = promotion_key(args.promotion)
if redis.call('EXISTS', R) == 1 then append_promotion_history(R, args.what, args.data) end
return {'ok'}
