--- include: begin-advance.lua
-- What a consumer gets with a job that it has taken: the job, and the advance that it asks for, begun in the same step. One command,
-- because every poll of an execution begins with it. `answer_job` is put before this script (`worker/queue/fragments.ts`).
--
-- Defines answer_taken(job, steps, quarantineFrom), the last two of `begin_advance`. It returns the same as `answer_job`, and what
-- `begin_advance` answers as JSON, or '' if the job is not an advance.
local function answer_taken(job, steps, quarantine_from)
  local answer, begun = answer_job(job), ''
  if job.fields and job.fields.name == 'advance' then
    local data = cjson.decode(job.fields.data)
    -- A job whose format only a newer version knows is not begun.
    if data.promotionId and not data.form then begun = cjson.encode(begin_advance(data.promotionId, steps, quarantine_from)) end
  end
  table.insert(answer, begun)
  return answer
end
