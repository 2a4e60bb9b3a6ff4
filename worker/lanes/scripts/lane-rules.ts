/**
 * What scripts share. Every script is called with the prefix as ARGV[1] and the time as ARGV[2].
 *
 * `kick` gives an idle lane to the next run in its queue. A run whose sequence is not above the live one's can never
 * have an effect again (promise 4): it ends as superseded.
 */
export const laneRules = `
local prefix = ARGV[1]
local now = ARGV[2]
local function run_key(id) return prefix .. ':run:' .. id end
local function lane_key(id) return prefix .. ':lane:' .. id end
local function note(key, what, data)
  redis.call('XADD', key .. ':history', '*', 'at', now, 'what', what, 'data', data)
end
local function say(key, state, text)
  if redis.call('HGET', key, 'reportText') == text and redis.call('HGET', key, 'reportState') == state then return end
  redis.call('HSET', key, 'reportState', state, 'reportText', text)
  redis.call('HINCRBY', key, 'reportSeq', 1)
end
-- How many ended here: the caller counts them.
local superseded = 0
local function supersede(id, by)
  local key = run_key(id)
  superseded = superseded + 1
  redis.call('HSET', key, 'state', 'finished', 'outcome', 'superseded', 'message', 'Superseded by ' .. by, 'endedAt', now)
  say(key, 'success', 'Superseded by ' .. by .. '; nothing was promoted')
  note(key, 'superseded', by)
end
-- A hold beside another keeps both reasons: who releases the lane must see all that they release.
local function hold_lane(key, given)
  local before = redis.call('HGET', key, 'hold')
  note(key, 'held', given)
  if before then
    local old, new = cjson.decode(before), cjson.decode(given)
    if string.find(old.why, new.why, 1, true) then return end
    local why = old.why .. '; ' .. new.why
    local by = old.by == new.by and new.by or old.by .. ', ' .. new.by
    if #why < 4000 then given = cjson.encode({by = by, why = why, since = old.since}) end
  end
  redis.call('HSET', key, 'hold', given)
end
local function kick(lane)
  local key = lane_key(lane)
  if redis.call('HEXISTS', key, 'hold') == 1 or redis.call('HEXISTS', key, 'active') == 1 then return '' end
  local live = tonumber(redis.call('HGET', key, 'liveSeq') or '0')
  local id = redis.call('LPOP', key .. ':queue')
  while id do
    if tonumber(redis.call('HGET', run_key(id), 'seq') or '0') > live then
      redis.call('HSET', key, 'active', id)
      redis.call('HSET', run_key(id), 'state', 'active', 'startedAt', now)
      note(run_key(id), 'activated', '')
      return id
    end
    supersede(id, redis.call('HGET', key, 'liveVersion') or 'a newer version')
    id = redis.call('LPOP', key .. ':queue')
  end
  return ''
end
`;

/** Only the run that the lane is given to, in the turn that was begun last, may go on. */
export const fenced = `
local function holds_fence(lane, run, fence)
  return redis.call('HGET', lane_key(lane), 'active') == run and redis.call('HGET', run_key(run), 'fence') == fence
end
`;
