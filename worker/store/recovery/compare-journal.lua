--- include: ../scripts/epoch.lua
--- include: older-lanes.lua
-- Compares the journal of a worker: holds each lane about which an operator said something that is in the journal, but that
-- Redis does not know. After the last journal to be compared, the lanes that waited for it continue.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, without memory; journal, its id; words of it: id, hold as JSON, and lane, or nothing for all.
-- Answers the lanes.
begin_epoch()
local known, held = {}, {}
for _, id in ipairs(redis.call('LRANGE', words_key(args.journal), 0, -1)) do known[id] = true end
for _, word in ipairs(args.words) do
  if not known[word.id] then
    if word.lane then
      hold_older(word.lane, word.hold)
      table.insert(held, word.lane)
    else
      for _, lane in ipairs(hold_all_older(word.hold)) do table.insert(held, lane) end
    end
    -- The lane is held now.
    know_word(args.journal, word.id)
  end
end
redis.call('SREM', uncompared, args.journal)
redis.call('SADD', compared, args.journal)
if #held > 0 then redis.call('SET', prefix .. ':sweep:requested', now, 'EX', 86400) end
if redis.call('SCARD', uncompared) == 0 and redis.call('HDEL', epoch, 'journalsHeld') == 1 then
  for _, lane in ipairs(redis.call('SMEMBERS', prefix .. ':lanes')) do
    local lifted, left = lift_holds(lane_key(lane), function(one) return one.cause == 'journal-missing' end)
    if #lifted > 0 then
      append_lane_history(lane_key(lane), 'resumed', lifted_as_json('millrace', 'worker', 'all journals are compared', lifted))
      local started = #left == 0 and start_next(lane) or ''
      local continuing = started ~= '' and started or #left == 0 and redis.call('HGET', lane_key(lane), 'active')
      if continuing then request_advance(continuing) end
    end
  end
end
return held
