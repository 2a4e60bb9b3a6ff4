--- include: ../scripts/audit.lua
--- include: gate-refusal.lua
--- include: decided-by-comment.lua
--- include: ../lanes/request-end.lua
-- One person's rejection of a promotion, its commit and its version: the promotion ends.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotion; commit and version, that the person saw; rejection, as JSON; by, via; text, what ends it,
-- as shown; comment that it is in, or nothing; dryRun, which writes nothing.
-- Answers `ended`, `requested`, or why the rejection is refused: `unknown`, `over`, `begun`, `no-version`, `changed`, `superseded`, `ending`.
local no = gate_refusal(false)
if no then return {no} end
if args.dryRun then return {'requested'} end
local R = promotion_key(args.promotion)
redis.call('HSET', R, 'rejection', args.rejection)
note_comment()
append_promotion_history(R, 'rejected', args.rejection)
local status = request_end(args.promotion, args.text, '', '{"by":' .. cjson.encode(args.by) .. ',"via":' .. cjson.encode(args.via) .. '}')
audit(args.by, args.via, 'reject', redis.call('HGET', R, 'lane'), args.promotion, args.rejection)
return {status}
