/** Milliseconds for all calls to the platform by a command or an action without its own time limit. */
export const usualLimitMs = 600_000;
/** Milliseconds for all calls to the platform by a command or an action that uploads. */
export const uploadLimitMs = 3_600_000;
