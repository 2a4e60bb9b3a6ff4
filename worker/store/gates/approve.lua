--- include: ../scripts/audit.lua
--- include: gate-refusal.lua
-- One person's approval of a promotion, its commit and its version.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotion; commit and version, that the person saw; person; approval, as JSON; by, via; dryRun,
-- which writes nothing.
-- Answers `ok`, `already`, or why the approval is refused: `unknown`, `over`, `begun`, `no-version`, `changed`, `superseded`.
local no = gate_refusal(false)
if no then return {no} end
local R, field = promotion_key(args.promotion), 'approval:' .. args.person
local before = redis.call('HGET', R, field)
if before then
  local known = cjson.decode(before)
  if known.commit == args.commit and known.version == args.version then return {'already'} end
end
if args.dryRun then return {'ok'} end
redis.call('HSET', R, field, args.approval)
append_promotion_history(R, 'approved', args.approval)
request_advance(args.promotion)
audit(args.by, args.via, 'approve', redis.call('HGET', R, 'lane'), args.promotion, args.approval)
return {'ok'}
