-- The order of a repository's pushes. The places: a sorted set of the ids of their ingest jobs. The departures: the
-- commits that recent pushes moved refs away from.
--
-- As long as an accepted push may be retried (`incoming-job.ts`).
local keep_places_ms = 5 * 86400000

-- Takes the last place, unless the job has one.
local function take_push_place(places, job)
  local last = redis.call('ZREVRANGE', places, 0, 0, 'WITHSCORES')
  redis.call('ZADD', places, 'NX', tonumber(last[2] or '0') + 1, job)
  redis.call('PEXPIRE', places, keep_places_ms)
end

local max_departures = 1000

-- Records the commit that a push moved a ref away from.
local function note_departure(departures, departure, received_at)
  redis.call('ZADD', departures, received_at, departure)
  redis.call('ZREMRANGEBYRANK', departures, 0, -max_departures - 1)
  redis.call('PEXPIRE', departures, keep_places_ms)
end
