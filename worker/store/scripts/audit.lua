--- include: lane-rules.lua
-- Who did what, on what, why: only ever appended to. In the same script as the act itself, so that none is without the
-- other. Defines audit.
local function audit(by, via, act, lane, promotion, data)
  redis.call('XADD', prefix .. ':audit', '*', 'at', now, 'by', by, 'via', via, 'act', act, 'lane', lane, 'promotion', promotion, 'data', data)
end
