-- Links a push into the chain of its ref.
--
-- The record of a ref has the commit of its last push, and the gaps: ranges of commits for which no push was reported.
-- Pushes that arrive late fill gaps from either end. It also counts the changes of the record: a ref can make the same
-- move between two commits twice.
--
-- KEYS: hash of the repository's refs; the last request for a sweep; hash of the deleted refs, because a pushed
-- ref exists.
-- Arguments: now, in milliseconds; repositoryId; ref; before and after, commits; created, whether this push created the ref.
-- Answers `first`, `fits`, `known`, `filled` or `gap`.
local args = cjson.decode(ARGV[1])
local ref, before, after = args.ref, args.before, args.after

local text = redis.call('HGET', KEYS[1], ref)
redis.call('HDEL', KEYS[3], ref)
local record = text and cjson.decode(text) or {}
local gaps = record.gaps or {}
local function keep(last, left)
  local new = {last = last, changes = (record.changes or 0) + 1}
  if #left > 0 then new.gaps = left end
  redis.call('HSET', KEYS[1], ref, cjson.encode(new))
end
if not text then
  keep(after, {})
  return {'first'}
end
-- A ref that was created again begins a new chain.
if args.created then
  keep(after, {})
  return {record.last == after and 'known' or 'fits'}
end
if before == record.last then
  keep(after, gaps)
  return {'fits'}
end
for i, gap in ipairs(gaps) do
  if gap.from == before or gap.to == after then
    if gap.from == before then gap.from = after else gap.to = before end
    if gap.from == gap.to or (gap.from == after and gap.to == after) then table.remove(gaps, i) end
    keep(record.last, gaps)
    return {'filled'}
  end
end
if record.last == after then return {'known'} end
table.insert(gaps, {from = record.last, to = before, at = args.now})
-- Bound the memory: many pushes may be made while no event arrives.
while #gaps > 20 do table.remove(gaps, 1) end
keep(after, gaps)
-- A request names its repository. A request that replaces the request of another repository is for all repositories.
local requested = redis.call('GET', KEYS[2])
local mine = ' ' .. args.repositoryId
local isMine = not requested or string.sub(requested, -#mine) == mine
redis.call('SET', KEYS[2], args.now .. (isMine and mine or ''), 'EX', 86400)
return {'gap'}
