-- The people who pushed or wrote the commits that a lane accepted since its last verified version. A later promotion
-- contains these commits, even if their own promotion ended as superseded, cancelled or failed.
--
-- `L .. ':contributors'`: a hash with one field for each person, named as in the record of a promotion. The value has the
-- sequence of the last promotion with that person.
--
-- The value of an author: GitHub's id as text, or '' if it is not known.
local function id_of_author(task, author)
  local id = (task.authorIds or {})[author]
  return id and string.format('%.0f', id) or ''
end
-- Adds one contributor of a promotion to its lane.
local function add_contributor(L, seq, field, value)
  local key = L .. ':contributors'
  local text = redis.call('HGET', key, field)
  local known = text and cjson.decode(text)
  if known and known.seq > seq then return end
  if known and value == '' then value = known.value end
  redis.call('HSET', key, field, cjson.encode({seq = seq, value = value}))
end
local function add_contributors(L, seq, task)
  local pushers = task.otherPushers or {}
  if task.pusher then table.insert(pushers, task.pusher) end
  for _, one in ipairs(pushers) do add_contributor(L, seq, 'pusher:' .. one.login, cjson.encode(one)) end
  for _, author in ipairs(task.authors or {}) do
    add_contributor(L, seq, 'author:' .. author, id_of_author(task, author))
  end
end
-- Copies the contributors of earlier promotions to a promotion.
local function carry_contributors(L, R)
  local all = redis.call('HGETALL', L .. ':contributors')
  for i = 1, #all, 2 do
    -- Under another name than its own authors, because the record also says whether its own authors are known.
    local field = string.gsub(all[i], '^author:', 'earlier-author:')
    redis.call('HSETNX', R, field, cjson.decode(all[i + 1]).value)
  end
end
-- A promotion was verified: its commits are live and need no approval again.
local function forget_contributors(L, seq)
  local key = L .. ':contributors'
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if cjson.decode(all[i + 1]).seq <= seq then redis.call('HDEL', key, all[i]) end
  end
end
