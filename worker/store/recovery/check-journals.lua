--- include: ../scripts/epoch.lua
-- Says that the worker of a journal runs, and which journals are to be compared.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, without memory; own, the journal of the worker, or nothing; others, that no running worker has; peers,
-- the journals of all workers as the worker knew them at the last check. A journal that Redis does not know is newer than
-- the state of Redis.
-- Answers 1 if the lanes are to be held because journals are missing, otherwise 0; 1 if they wait for that, otherwise 0; then
-- three lists: the journals of the worker that are not compared in this epoch, all journals that are not, and all that Redis knows.
begin_epoch()
for _, peer in ipairs(args.peers) do
  if redis.call('HSETNX', journals, peer, now) == 1 and redis.call('SISMEMBER', compared, peer) == 0 then
    redis.call('SADD', uncompared, peer)
  end
end
local to_compare = {}
local function add(journal)
  if redis.call('SISMEMBER', compared, journal) == 0 then table.insert(to_compare, journal) end
end
if args.own then
  redis.call('HSET', journals, args.own, now)
  add(args.own)
end
for _, journal in ipairs(args.others) do add(journal) end
local missing = redis.call('SCARD', uncompared) > 0 and not hold_for_journals()
local late = missing and now - number_in(epoch, 'journalsSince') >= wait_ms
return {late and 1 or 0, missing and 1 or 0, table.concat(to_compare, ' '),
  table.concat(redis.call('SMEMBERS', uncompared), ' '), table.concat(redis.call('HKEYS', journals), ' ')}
