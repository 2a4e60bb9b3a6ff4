/** The form of a valid reason: at least two characters besides blanks. */
export const reasonForm = /\S.*\S/;

/** The text for a reason that is too short. */
export const reasonRule = 'a reason has at least two characters';
