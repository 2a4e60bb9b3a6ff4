-- Shared by the scripts of lanes and promotions.
--
-- Arguments of each: prefix, of all keys; now, in milliseconds since the epoch; memory, of the worker that calls, or nothing:
-- worker, its id; call, the number of this call; seen, the highest number that Redis acknowledged; marker, of the records;
-- word, of an operator that the worker keeps in its journal: journal and id, or nothing (`know_word`);
-- format, the newest format of the records that the caller knows, or nothing if it may meet any (`lane-script.ts`).
-- Answers the error `STATEOLDER <number>` if Redis has an older state: it does not know what it acknowledged to the
-- worker. The number is the number of the last call that Redis knows. Answers the error `NEWERFORMAT <number>` if a newer
-- worker has raised the format of the records: the caller leaves all of them to the newer worker.
-- Defines args, prefix, now, superseded (how many promotions this script has ended as superseded), and the functions
-- below.
--
-- `start_next` makes the next promotion in the queue of an idle lane active. A promotion whose sequence is not above the
-- live one's can never have an effect again (promise 4): it ends as superseded.
local args = cjson.decode(ARGV[1])
local prefix, now = args.prefix, args.now
local superseded = 0

-- Before everything else: records of a newer format may mean something else.
local format_key = prefix .. ':format'
local stored_format = tonumber(redis.call('HGET', format_key, 'number') or '0')
if args.format and stored_format > args.format then return redis.error_reply('NEWERFORMAT ' .. stored_format) end

-- Another marker means that the records were lost: claim-state.lua finds that.
if args.memory and redis.call('GET', prefix .. ':state') == args.memory.marker then
  local memory, workers = args.memory, prefix .. ':workers'
  local stored = tonumber(string.match(redis.call('HGET', workers, memory.worker) or '0', '^%d+'))
  if stored < memory.seen then return redis.error_reply('STATEOLDER ' .. stored) end
  redis.call('HSET', workers, memory.worker, math.max(stored, memory.call) .. ' ' .. now)
  redis.call('SREM', prefix .. ':workers:unheard', memory.worker)
end

-- Noted in the same step as the effect of the word, because the journal is compared with these notes (`compare-journal.lua`).
local function words_key(journal) return prefix .. ':journal:' .. journal .. ':words' end
local function know_word(journal, id)
  redis.call('RPUSH', words_key(journal), id)
  -- The limit is more than a journal keeps.
  redis.call('LTRIM', words_key(journal), -2000, -1)
end
if args.word then know_word(args.word.journal, args.word.id) end

local function promotion_key(id) return prefix .. ':promotion:' .. id end
local function lane_key(id) return prefix .. ':lane:' .. id end
-- A missing field counts as 0.
local function number_in(key, field) return tonumber(redis.call('HGET', key, field) or '0') end
local function set_fields(key, fields)
  local flat = {}
  for field, value in pairs(fields) do
    table.insert(flat, field)
    table.insert(flat, value)
  end
  if #flat > 0 then redis.call('HSET', key, unpack(flat)) end
end
-- A list, because Redis reserves four KiB for the first entry of a stream.
local function append_promotion_history(key, what, data)
  redis.call('RPUSH', key .. ':history', now .. ' ' .. what .. ' ' .. data)
end
local function append_lane_history(key, what, data)
  redis.call('XADD', key .. ':history', '*', 'at', now, 'what', what, 'data', data)
end
local unsent_key = prefix .. ':unsent'
-- Keeps the promotions of which GitHub shows an older state, by the time since which GitHub does so.
local function track_unsent(id, since)
  local key = promotion_key(id)
  if number_in(key, 'reportSeq') > number_in(key, 'reported') then
    redis.call('ZADD', unsent_key, 'NX', since, id)
  else
    redis.call('ZREM', unsent_key, id)
  end
end
local function set_report(id, state, text)
  local key = promotion_key(id)
  if redis.call('HGET', key, 'reportText') == text and redis.call('HGET', key, 'reportState') == state then return end
  redis.call('HSET', key, 'reportState', state, 'reportText', text, 'reportAt', now)
  redis.call('HINCRBY', key, 'reportSeq', 1)
  track_unsent(id, now)
  return true
end
local function step_name(step) return step and step ~= '' and cjson.decode(step).name or 'resolve' end
-- Whether a promotion may have changed something outside: it is beyond its promote step, or it has recorded an intent.
local function has_begun(id)
  local had = redis.call('HMGET', promotion_key(id), 'step', 'intent')
  local at = step_name(had[1])
  return (had[2] or '') ~= '' or (at ~= 'resolve' and at ~= 'promote')
end
-- Requests an advance of a promotion. An advance that runs now has read the record before: its worker, or the
-- reconciler, sees the request and advances it again. `begin-advance.lua` clears the request.
local function request_advance(id) redis.call('HSET', promotion_key(id), 'advanceRequested', 1) end
-- The task of a promotion, or nil if the promotion is not recorded. Format 2 and older call the field `plan`.
local function task_of(id)
  local had = redis.call('HMGET', promotion_key(id), 'task', 'plan')
  local text = had[1] or had[2]
  return text and cjson.decode(text)
end
-- The version of a promotion; '' if it is not known yet. A version that the task names is not recorded a second time.
local function version_of(id)
  local version = redis.call('HGET', promotion_key(id), 'version')
  if version then return version end
  local task = task_of(id)
  return task and task.version.name or ''
end
local function supersede(id, by)
  local key = promotion_key(id)
  superseded = superseded + 1
  local message = 'Superseded by ' .. by
  local text = message .. '; nothing was promoted'
  -- The promotion was resolved, and overtaken before it was advanced.
  if has_begun(id) then
    local to = task_of(id).lane.to
    message = message .. ' after it had begun: ' .. version_of(id) .. ' may be in ' .. to .. ', unverified'
    text = message
  end
  redis.call('HSET', key, 'state', 'finished', 'outcome', 'superseded', 'message', message, 'endedAt', now)
  set_report(id, 'success', text)
  append_promotion_history(key, 'superseded', by)
end
-- Each cause has its own hold: lifting one does not lift another.
local function holds_of(key)
  local text = redis.call('HGET', key, 'hold')
  return text and cjson.decode(text) or {}
end
local function keep_holds(key, holds)
  if #holds == 0 then redis.call('HDEL', key, 'hold') else redis.call('HSET', key, 'hold', cjson.encode(holds)) end
end
-- `given`: the hold as JSON. Changes the fields hold and holdCount of the lane; appends `held` to its history.
local function hold_lane(key, given)
  local hold, holds = cjson.decode(given), holds_of(key)
  for _, one in ipairs(holds) do
    if one.cause == hold.cause and one.by == hold.by and one.reason == hold.reason and one.promotion == hold.promotion then return end
  end
  -- Includes the time: an id from before a loss of the records must not match a later hold.
  hold.id = string.format('%.0f-%d', now, redis.call('HINCRBY', key, 'holdCount', 1))
  table.insert(holds, hold)
  keep_holds(key, holds)
  append_lane_history(key, 'held', given)
end
-- Lifts the holds for which `is_meant` is true. Returns these, and those that are left.
local function lift_holds(key, is_meant)
  local lifted, left = {}, {}
  for _, one in ipairs(holds_of(key)) do table.insert(is_meant(one) and lifted or left, one) end
  keep_holds(key, left)
  return lifted, left
end
local function lifted_as_json(by, via, reason, holds)
  local words = {}
  for _, one in ipairs(holds) do table.insert(words, one.reason .. ' (' .. one.by .. ')') end
  return '{"by":' .. cjson.encode(by) .. ',"via":' .. cjson.encode(via) .. (reason ~= '' and ',"reason":' .. cjson.encode(reason) or '') ..
    ',"lifted":' .. cjson.encode(table.concat(words, '; ')) .. '}'
end
-- The promotions to an environment of a project, by the order in which they changed it. The id of a project may be spelled
-- in upper or lower case.
local function environment_key(repository, project, to)
  return prefix .. ':environment:' .. repository .. '/' .. string.lower(project) .. '/' .. to
end
-- Gives a promotion the last place in its environment: when it becomes active, and again before it changes the
-- environment. One counter for all lanes and workers, so that the order depends on no clock.
local function take_place(id)
  local task = task_of(id)
  local key = environment_key(string.format('%.0f', task.repository.id), task.lane.project, task.lane.to)
  local place = redis.call('INCR', prefix .. ':places')
  redis.call('HSET', promotion_key(id), 'place', place)
  redis.call('ZADD', key, place, id)
  redis.call('ZREMRANGEBYRANK', key, 0, -201)
end
local function start_next(lane)
  local key = lane_key(lane)
  if redis.call('HEXISTS', key, 'hold') == 1 or redis.call('HEXISTS', key, 'active') == 1 then return '' end
  local live = number_in(key, 'liveSeq')
  local id = redis.call('LPOP', key .. ':queue')
  while id do
    if number_in(promotion_key(id), 'seq') > live then
      redis.call('HSET', key, 'active', id)
      redis.call('HSET', promotion_key(id), 'state', 'active')
      -- Most start when they are accepted.
      if number_in(promotion_key(id), 'createdAt') ~= now then redis.call('HSET', promotion_key(id), 'startedAt', now) end
      take_place(id)
      append_promotion_history(promotion_key(id), 'activated', '')
      return id
    end
    supersede(id, redis.call('HGET', key, 'liveVersion') or 'a newer version')
    id = redis.call('LPOP', key .. ':queue')
  end
  return ''
end
