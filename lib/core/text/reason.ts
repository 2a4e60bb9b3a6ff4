/** What counts as a reason for later readers: at least two characters besides blanks. */
export const reasonForm = /\S.*\S/;

/** What a text lacks that is too short for a reason. */
export const reasonRule = 'a reason has at least two characters';
