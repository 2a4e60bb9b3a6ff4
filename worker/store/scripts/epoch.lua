--- include: lane-rules.lua
-- An epoch is the life of one Redis process. A new process may have an older state: one that was restarted after a power cut,
-- a replica that lagged, a restored backup. So nothing takes effect at first: the workers that were running say whether
-- their records are there (`lane-rules.lua`), and the records of each lane are compared with the platform and GitHub.
--
-- A worker may keep the words of operators in a journal on its disk. If the worker does not run, only its journal
-- has what they said. So each journal of a worker that ran before is compared in each epoch (`compare-journal.lua`), and
-- until then nothing takes effect. After a while the lanes are held (`hold-for-journals.lua`), because a person can resume
-- them.
--
-- Defines unchecked, the key of the lanes to be compared, the keys journals, uncompared and compared, and begin_epoch,
-- is_being_checked, hold_for_journals.
local epoch, unchecked, unheard = prefix .. ':epoch', prefix .. ':lanes:unchecked', prefix .. ':workers:unheard'
-- The script waits this long for workers that called within this time before. A reconnection takes less time.
local alive_ms, wait_ms, forget_ms = 30000, 10000, 86400000
-- The time at which each journal was last with a running worker; the journals to be compared in this epoch; the compared ones.
local journals, uncompared, compared = prefix .. ':journals', prefix .. ':journals:uncompared', prefix .. ':journals:compared'
-- A worker says that it runs every few seconds, but not while it waits for the platform.
local journal_alive_ms, journal_forget_ms = 120000, 2592000000
-- An older worker may have begun the epoch, so the field is another one.
local function begin_journals(run)
  if redis.call('HGET', epoch, 'journalsRun') == run then return end
  redis.call('HSET', epoch, 'journalsRun', run, 'journalsSince', now)
  redis.call('HDEL', epoch, 'journalsHold')
  redis.call('DEL', uncompared, compared)
  local all, newest = redis.call('HGETALL', journals), 0
  for i = 2, #all, 2 do newest = math.max(newest, tonumber(all[i])) end
  for i = 1, #all, 2 do
    -- All workers may have stopped hours ago.
    local age = newest - tonumber(all[i + 1])
    if age < journal_alive_ms then redis.call('SADD', uncompared, all[i]) end
    if age > journal_forget_ms then
      redis.call('HDEL', journals, all[i])
      redis.call('DEL', words_key(all[i]))
    end
  end
end
-- Whether this is the first call in this process of Redis.
local function begin_epoch()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  begin_journals(run)
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
-- The hold, as JSON, for lanes that an operator may have stopped; nothing if all journals are compared.
local function hold_for_journals()
  return redis.call('SCARD', uncompared) > 0 and redis.call('HGET', epoch, 'journalsHold')
end
local function is_being_checked(lane)
  if redis.call('SISMEMBER', unchecked, lane) == 1 then return true end
  if redis.call('SCARD', uncompared) > 0 and not hold_for_journals() then return true end
  if redis.call('SCARD', unheard) == 0 then return false end
  local waits = now - number_in(epoch, 'since') < wait_ms
  if not waits then redis.call('DEL', unheard) end
  return waits
end
