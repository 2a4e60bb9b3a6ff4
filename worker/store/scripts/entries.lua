--- include: fence.lua
--- include: ../reports/add-report.lua
-- What an advance records of a promotion.
--
-- Defines record_entry(promotion, entry): its fields, of the record; what and data (JSON or ''), for the history, '' for no entry;
-- report, if there is something new to report: state, text; at, the time by BullMQ's clock; delay, in milliseconds. The job that
-- reports it is added in the same step. Defines record_rest(), which records the entries of the argument `rest`: they waited
-- for the next one.
local function record_entry(promotion, entry)
  local R = promotion_key(promotion)
  set_fields(R, entry.fields)
  if entry.what ~= '' then append_promotion_history(R, entry.what, entry.data) end
  if entry.report and set_report(promotion, entry.report.state, entry.report.text) then
    add_report(promotion, entry.report.at, entry.report.delay)
  end
end
local function record_rest()
  for _, entry in ipairs(args.rest or {}) do record_entry(args.promotion, entry) end
end
