--- include: ../scripts/lane-rules.lua
--- include: ../lanes/contributors.lua
-- Records who pushed a head and who wrote its commits, in the lane's promotions of that head. The first known pusher is
-- the pusher; the others count as pushers too.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, ref, commit; pusher, as JSON, and login, or neither; authors, their logins;
--   authorIds, their ids by login if they are known.
-- Answers `ok`, and the promotion to advance now or ''.
local L = lane_key(args.lane)
local ids = redis.call('LRANGE', L .. ':queue', 0, -1)
table.insert(ids, redis.call('HGET', L, 'active') or '')
local learned = {pusher = args.pusher and cjson.decode(args.pusher) or nil, authors = args.authors, authorIds = args.authorIds}
-- The first promotion of the head; those after it contain its commits.
local first
for _, id in ipairs(ids) do
  local task, seq = task_of(id), number_in(promotion_key(id), 'seq')
  if task and task.ref == args.ref and task.commit == args.commit then
    if args.pusher and not task.pusher then redis.call('HSETNX', promotion_key(id), 'pusher', args.pusher) end
    add_contributors(L, seq, learned)
    first = math.min(first or seq, seq)
  end
end
for _, id in ipairs(ids) do
  if first and number_in(promotion_key(id), 'seq') >= first then
    if args.pusher then redis.call('HSET', promotion_key(id), 'pusher:' .. args.login, args.pusher) end
    for _, author in ipairs(args.authors) do
      local field, author_id = 'author:' .. author, id_of_author(learned, author)
      -- An id that is known stays.
      redis.call(author_id == '' and 'HSETNX' or 'HSET', promotion_key(id), field, author_id)
    end
  end
end
-- An approval that did not count before may count now.
local active = ids[#ids]
if not first or active == '' or has_begun(active) then return {'ok', ''} end
request_advance(active)
return {'ok', active}
