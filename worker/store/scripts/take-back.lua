--- include: lane-rules.lua
-- A version was taken out of an environment after it had passed, or came back: its promotions say so on GitHub, and the
-- deployment of what is live instead is the active one.
--
-- Defines take_back, give_back and make_active.
local function environment_of(lane)
  local L = lane_key(lane)
  return environment_key(string.match(lane, '^[^/]+'), redis.call('HGET', L, 'project') or '', redis.call('HGET', L, 'to') or '')
end
-- The promotions of a version that have passed, with what took each out of the environment.
local function passed_promotions(lane, version)
  local ids, found, seen = redis.call('ZRANGE', environment_of(lane), 0, -1), {}, {}
  -- One from before the order was kept.
  table.insert(ids, redis.call('HGET', lane_key(lane), 'livePromotion') or '')
  for _, id in ipairs(ids) do
    local had = redis.call('HMGET', promotion_key(id), 'version', 'outcome', 'rolledBack')
    if not seen[id] and had[1] == version and (had[2] == 'passed' or had[2] == 'already-done') then
      table.insert(found, { id = id, rolled_back = had[3] and cjson.decode(had[3]) })
    end
    seen[id] = true
  end
  return found
end
local function report(id, state, text, what, data)
  say(promotion_key(id), state, text)
  note(promotion_key(id), what, data)
  redis.call('SADD', prefix .. ':open', id)
end
-- Answers the promotions that say something new. What was found later, as a change outside Millrace, does not replace
-- what a person or the worker did; the other way round it does.
local function take_back(lane, version, data, text)
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
-- Answers how many promotions of the version had been taken back.
local function give_back(lane, version, text)
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
local function make_active(lane, version)
  local facts = environment_of(lane) .. ':github'
  redis.call('HSET', facts, 'liveVersion', version, 'livePlace', redis.call('INCR', prefix .. ':places'))
  redis.call('HINCRBY', facts, 'changes', 1)
  redis.call('HDEL', facts, 'floor')
end
