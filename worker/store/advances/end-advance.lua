--- include: ../scripts/fence.lua
-- Ends an advance normally.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence.
-- Answers `ok` or `fenced`.
if not holds_fence() then return {'fenced'} end
drop_fence()
return {'ok'}
