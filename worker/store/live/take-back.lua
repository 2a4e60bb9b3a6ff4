--- include: ../scripts/lane-rules.lua
-- A version that had passed was disabled in an environment, or enabled again: its promotions show this on GitHub, and the
-- deployment of the live version becomes the active one.
--
-- Defines mark_rolled_back, mark_live_again, report_live_again, is_of_promotion and make_active.
local function environment_of(lane)
  local L = lane_key(lane)
  return environment_key(string.match(lane, '^[^/]+'), redis.call('HGET', L, 'project') or '', redis.call('HGET', L, 'to') or '')
end
-- The passed promotions of a version, each with its roll-back, if any.
local function passed_promotions(lane, version)
  local ids, found, seen = redis.call('ZRANGE', environment_of(lane), 0, -1), {}, {}
  -- A promotion from before the order was recorded.
  table.insert(ids, redis.call('HGET', lane_key(lane), 'livePromotion') or '')
  for _, id in ipairs(ids) do
    local had = redis.call('HMGET', promotion_key(id), 'outcome', 'rolledBack')
    if not seen[id] and (had[1] == 'passed' or had[1] == 'already-done') and version_of(id) == version then
      table.insert(found, { id = id, rolled_back = had[2] and cjson.decode(had[2]) })
    end
    seen[id] = true
  end
  return found
end
local function report(id, state, text, what, data)
  set_report(id, state, text)
  append_promotion_history(promotion_key(id), what, data)
  redis.call('SADD', prefix .. ':open', id)
end
-- Returns the promotions with a new report. A change outside Millrace, which is found later, does not replace a roll-back
-- by a person or the worker. A roll-back by a person or the worker replaces a change outside Millrace.
local function mark_rolled_back(lane, version, data, text)
  local touched = {}
  for _, one in ipairs(passed_promotions(lane, version)) do
    if not one.rolled_back or (one.rolled_back.outside and not cjson.decode(data).outside) then
      redis.call('HSET', promotion_key(one.id), 'rolledBack', data)
      report(one.id, 'failure', text, 'rolled-back', data)
      table.insert(touched, one.id)
    end
  end
  return touched
end
-- Reports the promotions of a version again, because another deployment is active now: the version is live again after a
-- version without a success was taken back, or the version is no longer live.
local function report_live_again(lane, version, text)
  for _, one in ipairs(passed_promotions(lane, version)) do
    if not one.rolled_back then report(one.id, 'success', text, 'live-again', '') end
  end
end
-- Returns how many promotions of the version had been rolled back.
local function mark_live_again(lane, version, text)
  local count = 0
  for _, one in ipairs(passed_promotions(lane, version)) do
    if one.rolled_back then
      redis.call('HDEL', promotion_key(one.id), 'rolledBack')
      report(one.id, 'success', text, 'live-again', '')
      count = count + 1
    end
  end
  return count
end
-- Whether a promotion may have brought a version to an environment.
local function is_of_promotion(lane, version)
  for _, id in ipairs(redis.call('ZRANGE', environment_of(lane), 0, -1)) do
    local outcome = redis.call('HGET', promotion_key(id), 'outcome')
    if version_of(id) == version and (outcome == 'passed' or outcome == 'already-done' or has_begun(id)) then return true end
  end
  return redis.call('HGET', lane_key(lane), 'liveVersion') == version
end
local function make_active(lane, version)
  local facts = environment_of(lane) .. ':github'
  redis.call('HSET', facts, 'liveVersion', version, 'livePlace', redis.call('INCR', prefix .. ':places'))
  redis.call('HINCRBY', facts, 'changes', 1)
  redis.call('HDEL', facts, 'floor')
end
