-- The arguments, and the time of the server, because the workers' clocks differ. A test may set the time with the
-- argument `now`. Defines args, now (milliseconds since the epoch).
local args = cjson.decode(ARGV[1])
local now = args.now
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
