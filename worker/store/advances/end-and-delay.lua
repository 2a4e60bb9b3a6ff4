--- include: ../scripts/fence.lua
--- include: taken-advance.lua
-- Ends an advance normally, delays its job until the next one, and takes the next job of the queue, whose advance it begins.
-- One command, because every poll of an execution ends with it. A promotion whose advance was requested since it began is due
-- at once; a later request finds its job delayed, and expedites it.
--
-- `end_and_delay_job` is put before this script (`end-and-delay.ts`): it moves the job, and takes the next.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence; queuePrefix, of the queue's keys; job, its id; token, of its lock; at, the
-- time by BullMQ's clock; delay, in milliseconds; next, if the caller takes another job: its lock has the same token; lockMs,
-- format, the newest of the records that the caller knows; steps and quarantineFrom, of `begin_advance`.
-- Answers `moved`, or `lost` if this worker no longer has the job; then as `answer_taken`.
local R = promotion_key(args.promotion)
if holds_fence() then drop_fence() end
local delay = redis.call('HEXISTS', R, 'advanceRequested') == 1 and 0 or args.delay
local following = args.next
-- A worker may end what it began, but it begins nothing if it does not know the format of the records.
local takes_next = following and stored_format <= following.format
local job = {id = args.job, token = args.token, at = args.at, delay = delay}
local status, taken = end_and_delay_job(args.queuePrefix, job, takes_next and following.lockMs or nil)
if not taken then return {status} end
local answer = answer_taken(taken, following.steps, following.quarantineFrom)
table.insert(answer, 1, status)
return answer
