--- include: ../scripts/audit.lua
--- include: gate-refusal.lua
-- Lets one promotion, with its commit and its version, through freezes.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotion; commit and version, that the person saw; override, as JSON; by, via.
-- Answers `ok`, or why the override is refused: `unknown`, `over`, `begun`, `no-version`, `changed`, `superseded`, `ending`.
local no = gate_refusal(true)
if no then return {no} end
local R = promotion_key(args.promotion)
redis.call('HSET', R, 'override', args.override)
append_promotion_history(R, 'freeze-overridden', args.override)
request_advance(args.promotion)
audit(args.by, args.via, 'override-freeze', redis.call('HGET', R, 'lane'), args.promotion, args.override)
return {'ok'}
