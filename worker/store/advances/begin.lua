--- include: begin-advance.lua
-- Begins to advance a promotion.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; steps and quarantineFrom, of `begin_advance`.
-- Answers as `begin_advance`.
return begin_advance(args.promotion, args.steps, args.quarantineFrom)
