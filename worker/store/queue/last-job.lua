-- What is left in a queue after a consumer has taken a job.
--
-- BullMQ leaves a marker with each job that it gives to a consumer, so that another one looks for the next job. Where none waits,
-- it would wake a consumer for nothing. Each job that is added later brings a marker.
--
-- Defines next_due(queuePrefix): when the next job is due, by BullMQ's clock, or 0 if none is known; nothing if one waits now.
local function next_due(queue_prefix)
  if redis.call('EXISTS', queue_prefix .. 'wait', queue_prefix .. 'prioritized') > 0 then return nil end
  redis.call('ZREM', queue_prefix .. 'marker', '0')
  local first = redis.call('ZRANGE', queue_prefix .. 'delayed', 0, 0, 'WITHSCORES')
  -- BullMQ's score: the time, and twelve bits for the order of the jobs of one millisecond.
  return math.floor(tonumber(first[2] or '0') / 4096)
end
