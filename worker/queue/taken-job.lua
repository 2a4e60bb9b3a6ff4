-- What a consumer gets when it asks for a job.
--
-- BullMQ leaves a marker with each job that it gives to a consumer, so that another consumer looks for the next job. If no job
-- waits, the marker would wake a consumer for nothing. Each job that is added later brings a marker.
--
-- Defines read_taken(taken, queue), which reads what BullMQ answers: the id and the fields of a job, if there is one; is_last, whether
-- no other job waits; limited, the milliseconds for which the queue is limited; due, when the next job is due by BullMQ's clock,
-- 0 if none is known. Defines answer_job(job): a list for the client, with the fields as JSON, because a client reads a long list
-- much more slowly (`read-taken-job.ts`).
local function next_due(queue)
  if redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized') > 0 then return nil end
  redis.call('ZREM', queue .. 'marker', '0')
  local first = redis.call('ZRANGE', queue .. 'delayed', 0, 0, 'WITHSCORES')
  -- BullMQ's score: the time, and twelve bits for the order of the jobs of one millisecond.
  return math.floor(tonumber(first[2] or '0') / 4096)
end
local function read_taken(taken, queue)
  local job = type(taken) == 'table' and type(taken[1]) == 'table' and taken[1]
  if not job then
    if type(taken) ~= 'table' then return {limited = 0, due = 0} end
    return {limited = taken[3], due = math.floor(taken[4])}
  end
  local fields = {}
  for i = 1, #job, 2 do fields[job[i]] = job[i + 1] end
  local due = next_due(queue)
  return {id = taken[2], fields = fields, is_last = due ~= nil, limited = 0, due = due or 0}
end
local function answer_job(job)
  return {job.id or '', string.format('%.0f', job.limited), string.format('%.0f', job.due), job.is_last and '1' or '',
    job.fields and cjson.encode(job.fields) or ''}
end
