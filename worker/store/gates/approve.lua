--- include: ../scripts/audit.lua
--- include: gate-refusal.lua
--- include: decided-by-comment.lua
-- One person's approval of a promotion, its commit, its version and its plan.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotion; commit and version, that the person saw, and plan, its digest, or nothing if they saw none; person; approval, as JSON; by, via; comment that it is in, or nothing;
-- dryRun, which writes nothing.
-- Answers `ok`, `already`, or why the approval is refused: `unknown`, `over`, `begun`, `no-version`, `changed`, `superseded`, `ending`.
local no = gate_refusal(false)
if no then return {no} end
local current = redis.call('HGET', promotion_key(args.promotion), 'planDigest') or nil
if args.plan and args.plan ~= current then return {'changed'} end
local R, field = promotion_key(args.promotion), 'approval:' .. args.person
local before = redis.call('HGET', R, field)
if before then
  local known = cjson.decode(before)
  -- An approval of the plan says more than one without a plan.
  local is_same_plan = known.plan == args.plan or (known.plan == current and not args.plan)
  if known.commit == args.commit and known.version == args.version and is_same_plan then return {'already'} end
end
if args.dryRun then return {'ok'} end
redis.call('HSET', R, field, args.approval)
note_comment()
append_promotion_history(R, 'approved', args.approval)
request_advance(args.promotion)
audit(args.by, args.via, 'approve', redis.call('HGET', R, 'lane'), args.promotion, args.approval)
return {'ok'}
