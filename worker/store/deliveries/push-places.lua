-- The order of a repository's pushes. The places: a sorted set of the ids of their ingest jobs. The departures: the
-- commits that recent pushes moved refs away from. The moves: the old and the new commit of each recent push.
--
-- Kept as long as an accepted push may be retried (`incoming-job.ts`).
local keep_places_ms = 5 * 86400000

-- Takes the last place, unless the job has one.
local function take_push_place(places, job)
  local last = redis.call('ZREVRANGE', places, 0, 0, 'WITHSCORES')
  redis.call('ZADD', places, 'NX', tonumber(last[2] or '0') + 1, job)
  redis.call('PEXPIRE', places, keep_places_ms)
end

local max_kept = 1000

local function keep_newest(key)
  redis.call('ZREMRANGEBYRANK', key, 0, -max_kept - 1)
  redis.call('PEXPIRE', key, keep_places_ms)
end

-- Records the move of a ref by a push, and the commit that the push moved the ref away from, if there was one.
local function note_move(moves, departures, push)
  redis.call('ZADD', moves, 'NX', push.receivedAt, push.move)
  keep_newest(moves)
  if not push.departure then return end
  redis.call('ZADD', departures, push.receivedAt, push.departure)
  keep_newest(departures)
end
