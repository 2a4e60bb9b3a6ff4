--- include: ../../store/deliveries/push-places.lua
-- Stores new events as jobs. For each event, the job and the records that mark a second delivery as a duplicate are
-- written in one step: after a crash either both exist or neither.
--
-- `add_job` is put before this script (`worker/queue/fragments.ts`).
--
-- A tag takes its place in the order of its repository's pushes in the same step, so the order does not depend on which
-- worker ingests it, or when.
--
-- KEYS: for each event the record of its delivery, the record of its body, the places, the departures and the moves of its
-- repository.
-- Arguments: queuePrefix, of the queue's keys; options, of the jobs; rememberSeconds; events, each with the name and the
-- id of its job, receivedAt in milliseconds, data as JSON, GitHub's delivery id as delivery, the body's digest, takesPlace,
-- and of a push: move, its old and its new commit; departure, what it moved its ref away from, or nothing.
-- Answers for each event `accepted`, `duplicate`, or the error.
local args = cjson.decode(ARGV[1])

local function keep(event, first)
  local delivery_key, body_key, places = KEYS[first], KEYS[first + 1], KEYS[first + 2]
  if redis.call('EXISTS', delivery_key, body_key) > 0 then
    redis.call('SET', delivery_key, '', 'EX', args.rememberSeconds, 'NX')
    return 'duplicate'
  end
  -- The job first: after a failure here the sender's next attempt is not a duplicate.
  args.options.jobId = event.id
  local job = {id = event.id, name = event.name, data = event.data, at = event.receivedAt, options = args.options}
  local added = add_job(args.queuePrefix, job)
  if type(added) == 'number' and added < 0 then return 'BullMQ answered ' .. added end
  if event.takesPlace then take_push_place(places, event.id) end
  if event.move then note_move(KEYS[first + 4], KEYS[first + 3], event) end
  redis.call('SET', delivery_key, event.digest, 'EX', args.rememberSeconds)
  redis.call('SET', body_key, event.delivery, 'EX', args.rememberSeconds)
  return 'accepted'
end
local answers = {}
for i, event in ipairs(args.events) do
  local _, answer = pcall(keep, event, 5 * i - 4)
  if type(answer) == 'table' then answer = answer.err end
  answers[i] = tostring(answer)
end
return answers
