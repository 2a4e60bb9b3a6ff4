--- include: ../scripts/audit.lua
--- include: gate-refusal.lua
-- Lets one promotion, with its commit and its version, through without the evidence that its gates require.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotion; commit and version, that the person saw; override, as JSON; by, via.
-- Answers `ok`, or why the pass is refused: `unknown`, `over`, `begun`, `no-version`, `changed`, `superseded`, `ending`.
local no = gate_refusal(false)
if no then return {no} end
local R = promotion_key(args.promotion)
redis.call('HSET', R, 'evidencePass', args.override)
append_promotion_history(R, 'evidence-pass-given', args.override)
request_advance(args.promotion)
audit(args.by, args.via, 'pass-evidence', redis.call('HGET', R, 'lane'), args.promotion, args.override)
return {'ok'}
