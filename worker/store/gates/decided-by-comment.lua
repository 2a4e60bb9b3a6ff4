--- include: ../scripts/lane-rules.lua
-- Notes which promotion a comment decided, in the same step as the decision: if the worker dies before it has answered the
-- comment, the next one knows that nothing is left to decide.
--
-- Arguments: promotion; comment, as `comment-answer.ts` names it, or nothing if no comment decided. Defines note_comment.
local function note_comment()
  -- As long as a delivery is remembered.
  if args.comment then redis.call('SET', prefix .. ':comment:' .. args.comment, args.promotion, 'EX', 2592000) end
end
