--- include: ../scripts/audit.lua
--- include: pauses.lua
-- Ends a pause and requests an advance of the promotions that it stopped.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; id; by, via; data, for the audit, as JSON.
-- Answers `ok` and those promotions, or `unknown`.
local text = redis.call('HGET', pauses, args.id)
if not text then return {'unknown'} end
redis.call('HDEL', pauses, args.id)
audit(args.by, args.via, 'resume', '', '', args.data)
local pause, waiting = cjson.decode(text), {}
for _, lane in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local active = redis.call('HGET', lane_key(lane), 'active')
  if active and is_covered(pause, active) then
    request_advance(active)
    table.insert(waiting, active)
  end
end
return {'ok', unpack(waiting)}
