-- Who pushed and who wrote what a lane accepted since the version that it verified last: a later promotion contains
-- their commits, although theirs ended as superseded, cancelled or failed.
--
-- `L .. ':contributors'`: a hash of the fields that the record of a promotion has, with the sequence of the last
-- promotion that had them. One field for each person.
--
-- The value of an author: GitHub's id as text, or '' where it is not known.
local function id_of_author(plan, author)
  local id = (plan.authorIds or {})[author]
  return id and string.format('%.0f', id) or ''
end
-- Adds those of a promotion to its lane.
local function add_contributor(L, seq, field, value)
  local key = L .. ':contributors'
  local text = redis.call('HGET', key, field)
  local known = text and cjson.decode(text)
  if known and known.seq > seq then return end
  if known and value == '' then value = known.value end
  redis.call('HSET', key, field, cjson.encode({seq = seq, value = value}))
end
local function add_contributors(L, seq, plan)
  local pushers = plan.otherPushers or {}
  if plan.pusher then table.insert(pushers, plan.pusher) end
  for _, one in ipairs(pushers) do add_contributor(L, seq, 'pusher:' .. one.login, cjson.encode(one)) end
  for _, author in ipairs(plan.authors or {}) do
    add_contributor(L, seq, 'author:' .. author, id_of_author(plan, author))
  end
end
-- Gives a promotion those of the promotions before it.
local function carry_contributors(L, R)
  local all = redis.call('HGETALL', L .. ':contributors')
  for i = 1, #all, 2 do
    -- Apart from its own authors: whether those are known is another question.
    local field = string.gsub(all[i], '^author:', 'earlier-author:')
    redis.call('HSETNX', R, field, cjson.decode(all[i + 1]).value)
  end
end
-- A promotion was verified: what it contains is live, and not for approval again.
local function forget_contributors(L, seq)
  local key = L .. ':contributors'
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if cjson.decode(all[i + 1]).seq <= seq then redis.call('HDEL', key, all[i]) end
  end
end
