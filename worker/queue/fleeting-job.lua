-- Defines fleeting_job: the options of a job that is removed when it has ended. They leave out its id, which BullMQ would
-- store once more: the options are then so short that Redis keeps the job in half of the memory.
local fleeting_job = {removeOnComplete = true, removeOnFail = true}
