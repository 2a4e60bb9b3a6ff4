--- include: ../scripts/audit.lua
-- Lifts the holds that a person saw; a later one remains. The lane continues when none is left.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, by, via; reason, or ''; ids, of the holds, or nothing for all.
-- Answers `ok`, the promotion that continues now or '', the holds that were lifted and those that are left, each as JSON,
-- and how many promotions ended as superseded; or `unknown`, `not-held`.
local L = lane_key(args.lane)
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
local seen = {}
for _, id in ipairs(args.ids or {}) do seen[id] = true end
local lifted, left = lift_holds(L, function(one) return not args.ids or seen[one.id] end)
if #lifted == 0 then return {'not-held'} end
local data = lifted_as_json(args.by, args.via, args.reason, lifted)
append_lane_history(L, 'resumed', data)
audit(args.by, args.via, 'resume', args.lane, '', data)
local continuing = ''
if #left == 0 then
  continuing = start_next(args.lane)
  if continuing == '' then continuing = redis.call('HGET', L, 'active') or '' end
  if continuing ~= '' then request_advance(continuing) end
end
-- cjson encodes an empty table as an object.
return {'ok', continuing, cjson.encode(lifted), #left > 0 and cjson.encode(left) or '[]', superseded}
