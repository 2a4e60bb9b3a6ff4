/**
 * The time limit for all calls of a command or an action to the platform, in milliseconds, unless it has its own
 * limit.
 */
export const usualLimitMs = 600_000;
/** The time limit for all calls of a command or an action that uploads, in milliseconds. */
export const uploadLimitMs = 3_600_000;
