--- include: take-back.lua
-- Keeps an answer about an environment, and writes a change of it into the histories of the lanes.
--
-- KEYS: record of the environment; sorted set of when each is to be asked about.
-- Arguments: prefix, now; name, of the environment; number, of the question; version and commit that are live, or '';
-- next, when to ask again; before, where the caller knows an answer before: its version and the status of that; lanes;
-- keepMs, of the record.
-- Answers `kept`, or `late`.
-- A version that was disabled or enabled outside Millrace. A promotion's own change says itself what it is.
local function follow_live(lane, live, gone)
  local to = redis.call('HGET', lane_key(lane), 'to')
  if not to then return end
  if gone then
    local text = gone .. ' was disabled in ' .. to .. ' outside Millrace; ' .. live .. ' is live'
    take_back(lane, gone, cjson.encode({ by = '', via = 'worker', gone = gone, live = live, reason = text, outside = true }), text)
  end
  local count = give_back(lane, live, live .. ' is live in ' .. to .. ' again')
  if gone or count > 0 then make_active(lane, live) end
end

local K, version, before = KEYS[1], args.version, args.before
local had = redis.call('HMGET', K, 'answered', 'changed', 'version')
-- Asked before a change of the worker's own: the question after the change is due already.
if args.number <= math.max(tonumber(had[1] or '0'), tonumber(had[2] or '0')) then return {'late'} end
redis.call('ZADD', KEYS[2], args.next, args.name)
redis.call('HSET', K, 'answered', args.number, 'version', version, 'commit', args.commit, 'at', now)
redis.call('HDEL', K, 'failure', 'failingSince', 'failures')
redis.call('PEXPIRE', K, args.keepMs)
if had[3] and had[3] ~= version then
  local data = '{"live":' .. cjson.encode(version ~= '' and version or 'nothing') .. ',"before":' .. cjson.encode(had[3] ~= '' and had[3] or 'nothing')
  if before and before.status ~= '' and had[3] == before.version then data = data .. ',"the one before":' .. cjson.encode(before.status) end
  local gone = before and before.status == 'disabled' and had[3] == before.version
  for _, lane in ipairs(args.lanes) do
    if redis.call('EXISTS', lane_key(lane)) == 1 then
      note(lane_key(lane), 'live-changed', data .. '}')
      if version ~= '' then follow_live(lane, version, gone and before.version) end
    end
  end
end
return {'kept'}
