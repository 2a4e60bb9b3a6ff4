--- include: lane-rules.lua
-- An epoch is the life of one Redis process. A new process may have an older state: one that was restarted after a power cut,
-- a replica that lagged, a restored backup. So nothing takes effect at first: the workers that were running say whether
-- their records are there (`lane-rules.lua`), and the records of each lane are compared with the platform and GitHub.
--
-- Defines unchecked, the key of the lanes to be compared, and begin_epoch, is_being_checked.
local epoch, unchecked, unheard = prefix .. ':epoch', prefix .. ':lanes:unchecked', prefix .. ':workers:unheard'
-- Workers that called within this time before are waited for, for so long. It is longer than a reconnection takes.
local alive_ms, wait_ms, forget_ms = 30000, 10000, 86400000
-- Whether this is the first call in this process of Redis.
local function begin_epoch()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local before = redis.call('HGET', epoch, 'run')
  if before == run then return false end
  redis.call('HSET', epoch, 'run', run, 'since', now)
  redis.call('DEL', unheard)
  local workers = redis.call('HGETALL', prefix .. ':workers')
  for i = 1, #workers, 2 do
    local at = tonumber(string.match(workers[i + 1], '%d+$'))
    if now - at > forget_ms then
      redis.call('HDEL', prefix .. ':workers', workers[i])
    elseif now - at < alive_ms and not (args.memory and args.memory.worker == workers[i]) then
      redis.call('SADD', unheard, workers[i])
    end
  end
  redis.call('SUNIONSTORE', unchecked, prefix .. ':lanes')
  -- A push may have been acknowledged and lost.
  if before then redis.call('SET', prefix .. ':sweep:requested', now, 'EX', 86400) end
  return true
end
local function is_being_checked(lane)
  if redis.call('SISMEMBER', unchecked, lane) == 1 then return true end
  if redis.call('SCARD', unheard) == 0 then return false end
  local waits = now - number_in(epoch, 'since') < wait_ms
  if not waits then redis.call('DEL', unheard) end
  return waits
end
