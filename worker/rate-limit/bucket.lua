--- include: server-time.lua
-- The token bucket of a credential. It holds a twentieth of the limit. The rest of the limit is refilled over 31/30 of a
-- window. So no period of 31/30 of a window, whenever it starts, yields more tokens than the limit. A request that
-- reaches the platform in a window took its token in that window or in the thirtieth before it. Hence no window, fixed
-- or sliding, has more requests than the limit, if each request arrives within that thirtieth (of a minute: two seconds)
-- after its token was taken. This costs a twelfth of the limit: 91.9 % of it can be used continuously.
--
-- Arguments: requests, per window; windowMs. Defines limit, window, size (tokens that the bucket holds).
local limit, window = args.requests, args.windowMs
local size = math.max(1, math.floor(limit / 20))
