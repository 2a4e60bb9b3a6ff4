--- include: ../scripts/lane-rules.lua
--- include: ../../queue/has-job.lua
-- Finds the promotions that need the reconciler: all except those with an enqueued advance, no request for an earlier
-- one, and nothing to report. It asks for every open promotion again and again, and a hundred thousand may wait for
-- executions.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; promotions; jobKeys, the prefix of the keys of their jobs.
-- Answers the promotions.
local found = {}
for _, id in ipairs(args.promotions) do
  local had = redis.call('HMGET', promotion_key(id), 'state', 'reportSeq', 'reported', 'advanceRequested')
  local waits = (had[1] == 'active' or had[1] == 'following')
    and tonumber(had[2] or '0') <= tonumber(had[3] or '0')
    and not had[4]
    and has_job(args.jobKeys, id)
  if tonumber(had[2] or '0') > tonumber(had[3] or '0') then track_unsent(id, now) end
  if not waits then table.insert(found, id) end
end
return found
