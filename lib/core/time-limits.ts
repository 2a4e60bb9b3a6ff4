/** Milliseconds that a command or an action may ask the platform for in all, where it has no time limit of its own. */
export const usualLimitMs = 600_000;
/** The same where it uploads. */
export const uploadLimitMs = 3_600_000;
