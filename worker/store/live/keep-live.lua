--- include: take-back.lua
-- Stores what a poll of an environment found, and records a change in the histories of the lanes.
--
-- KEYS: record of the environment; sorted set of the environments by the time of their next poll.
-- Arguments: prefix, now; name, of the environment; number, of the poll; version and commit that are live, or '';
-- next, time of the next poll; before, if the caller knows the previous answer: its version and its current status; lanes;
-- keepMs, of the record.
-- Answers `kept`, or `late`.
local K, version, before = KEYS[1], args.version, args.before
local had = redis.call('HMGET', K, 'answered', 'changed', 'version', 'brought')
-- A version that was disabled, enabled or promoted outside Millrace. A change by a promotion is in its own history.
local function follow_live(lane, live, disabled)
  local to = redis.call('HGET', lane_key(lane), 'to')
  if not to then return end
  local touched = {}
  if disabled then
    local text = disabled .. ' was disabled in ' .. to .. ' outside Millrace; ' .. live .. ' is live'
    touched = mark_rolled_back(lane, disabled, cjson.encode({ by = '', via = 'worker', disabled = disabled, live = live, reason = text, outside = true }), text)
  end
  local again = live .. ' is live in ' .. to .. ' again'
  local count = mark_live_again(lane, live, again)
  if disabled and #touched == 0 and count == 0 then report_live_again(lane, live, again) end
  local is_foreign = not disabled and count == 0 and had[4] ~= live and not is_of_promotion(lane, live)
  if is_foreign then report_live_again(lane, had[3], live .. ' is live in ' .. to .. ', but Millrace did not promote it') end
  if disabled or count > 0 or is_foreign then make_active(lane, live) end
end

-- The poll began before a change by Millrace: the poll after the change is already due.
if args.number <= math.max(tonumber(had[1] or '0'), tonumber(had[2] or '0')) then return {'late'} end
redis.call('ZADD', KEYS[2], args.next, args.name)
redis.call('HSET', K, 'answered', args.number, 'version', version, 'commit', args.commit, 'at', now)
redis.call('HDEL', K, 'failure', 'failingSince', 'failures')
redis.call('PEXPIRE', K, args.keepMs)
if had[3] and had[3] ~= version then
  local data = '{"live":' .. cjson.encode(version ~= '' and version or 'nothing') .. ',"before":' .. cjson.encode(had[3] ~= '' and had[3] or 'nothing')
  if before and before.status ~= '' and had[3] == before.version then data = data .. ',"the one before":' .. cjson.encode(before.status) end
  local disabled = before and before.status == 'disabled' and had[3] == before.version
  for _, lane in ipairs(args.lanes) do
    if redis.call('EXISTS', lane_key(lane)) == 1 then
      append_lane_history(lane_key(lane), 'live-changed', data .. '}')
      if version ~= '' then follow_live(lane, version, disabled and before.version) end
    end
  end
end
return {'kept'}
