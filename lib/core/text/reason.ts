/** The form of a valid reason: at least two letters or digits that a reader sees, which some letters of Unicode are not. */
export const reasonForm = /(?!\p{DI})[\p{L}\p{N}].*(?!\p{DI})[\p{L}\p{N}]/u;

/** The text for a reason that is too short. */
export const reasonRule = 'a reason has at least two letters or digits';
