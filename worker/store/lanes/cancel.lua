--- include: ../scripts/audit.lua
-- Requests the end of a promotion. A queued one ends at once. An active one is marked; its next advance terminates what
-- runs on the platform and ends it.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion, by, via; cause, who or what ends it, as shown.
-- Answers `unknown`, `ended`, `over` or `requested`.
local R = promotion_key(args.promotion)
local state = redis.call('HGET', R, 'state')
if not state then return {'unknown'} end
local lane = redis.call('HGET', R, 'lane')
local data = '{"by":' .. cjson.encode(args.by) .. ',"via":' .. cjson.encode(args.via) ..
  (args.cause ~= args.by and ',"reason":' .. cjson.encode(args.cause) or '') .. '}'
-- A queued promotion that was resolved has begun: its next advance ends it, like an active one.
if state == 'queued' and not has_begun(args.promotion) then
  redis.call('LREM', lane_key(lane) .. ':queue', 0, args.promotion)
  redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', 'Cancelled by ' .. args.cause, 'endedAt', now)
  set_report(args.promotion, 'error', 'Cancelled by ' .. args.cause .. ' before it began')
  append_promotion_history(R, 'cancelled', data)
  audit(args.by, args.via, 'cancel', lane, args.promotion, data)
  return {'ended'}
end
if state ~= 'active' and state ~= 'queued' then return {'over'} end
redis.call('HSETNX', R, 'cancel', 'cancelled by ' .. args.cause)
append_promotion_history(R, 'cancel-requested', data)
request_advance(args.promotion)
audit(args.by, args.via, 'cancel', lane, args.promotion, data)
return {'requested'}
