--- include: server-time.lua
-- The token bucket of a credential. It holds a twentieth of the limit, and in a window and a thirtieth of it gets what
-- is left of the limit: so long a time, wherever it begins, sees no more tokens than the limit. What reaches the
-- platform within a window has taken its token within that window or a thirtieth of it before. Hence no window,
-- fixed or sliding, sees more requests than the limit, if each arrives within that thirtieth (of a minute: two seconds)
-- after its token was taken. It costs a twelfth of the limit: 91.9 % of it can be used for as long as one likes.
--
-- Arguments: requests a window; windowMs. Defines limit, window, size (tokens that the bucket holds).
local limit, window = args.requests, args.windowMs
local size = math.max(1, math.floor(limit / 20))
