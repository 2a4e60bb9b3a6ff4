/**
 * The branch that contains the statements. It shares no history with other branches (decision 039), and starts no
 * lane.
 */
export const evidenceBranch = 'millrace-evidence';
