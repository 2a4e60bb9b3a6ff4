-- Whether a queue has a job.
--
-- Defines has_job(queue, id): also one that has ended and is still kept. Defines has_open_job(queue, id): one that has not ended.
-- queue: the prefix of the queue's keys.
local function has_job(queue, id) return redis.call('EXISTS', queue .. id) == 1 end
local function has_open_job(queue, id)
  return has_job(queue, id) and redis.call('HEXISTS', queue .. id, 'finishedOn') == 0
end
