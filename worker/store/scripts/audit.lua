--- include: lane-rules.lua
-- Appends to the audit: who did what to what, and why. The entry is written by the script that performs the action, so
-- that neither exists without the other. Defines audit.
local function audit(by, via, act, lane, promotion, data)
  redis.call('XADD', prefix .. ':audit', '*', 'at', now, 'by', by, 'via', via, 'act', act, 'lane', lane, 'promotion', promotion, 'data', data)
end
