--- include: ../scripts/audit.lua
--- include: request-end.lua
-- Cancels a promotion: a person, or the worker because of a time limit.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion, by, via; cause, who or what ends it, as shown.
-- Answers `unknown`, `ended`, `over` or `requested`.
local data = '{"by":' .. cjson.encode(args.by) .. ',"via":' .. cjson.encode(args.via) ..
  (args.cause ~= args.by and ',"reason":' .. cjson.encode(args.cause) or '') .. '}'
local status = request_end(args.promotion, 'cancelled by ' .. args.cause, ' before it began', data)
if status == 'ended' or status == 'requested' then
  audit(args.by, args.via, 'cancel', redis.call('HGET', promotion_key(args.promotion), 'lane'), args.promotion, data)
end
return {status}
