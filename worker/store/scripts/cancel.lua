--- include: audit.lua
-- Asks a promotion to end. One that waits ends at once; an active one is marked and ends when it is advanced next, after
-- it has terminated what runs on the platform.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion, by, via; cause, who or what ends it, for people.
-- Answers `unknown`, `ended`, `over` or `asked`.
local R = promotion_key(args.promotion)
local state = redis.call('HGET', R, 'state')
if not state then return {'unknown'} end
local lane = redis.call('HGET', R, 'lane')
local data = '{"by":' .. cjson.encode(args.by) .. ',"via":' .. cjson.encode(args.via) ..
  (args.cause ~= args.by and ',"reason":' .. cjson.encode(args.cause) or '') .. '}'
-- One that was resolved and waits has begun: it ends when it is advanced, as an active one.
if state == 'queued' and not has_begun(args.promotion) then
  redis.call('LREM', lane_key(lane) .. ':queue', 0, args.promotion)
  redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', 'Cancelled by ' .. args.cause, 'endedAt', now)
  say(R, 'error', 'Cancelled by ' .. args.cause .. ' before it began')
  note(R, 'cancelled', data)
  audit(args.by, args.via, 'cancel', lane, args.promotion, data)
  return {'ended'}
end
if state ~= 'active' and state ~= 'queued' then return {'over'} end
redis.call('HSETNX', R, 'cancel', 'cancelled by ' .. args.cause)
note(R, 'cancel-asked', data)
request_advance(args.promotion)
audit(args.by, args.via, 'cancel', lane, args.promotion, data)
return {'asked'}
