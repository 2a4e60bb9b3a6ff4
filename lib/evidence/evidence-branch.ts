/** The branch with the statements. It has no history in common with the others (decision 039), and starts no lane. */
export const evidenceBranch = 'millrace-evidence';
