/** Limit of one output in characters: GitHub keeps 1 MB of outputs per job. The report file has the full text. */
export const outputLimit = 10_000;
