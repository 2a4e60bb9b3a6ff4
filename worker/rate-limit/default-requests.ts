/** Requests a minute of a credential without `requests-per-minute` in worker.yaml (unknowns §1). */
export const defaultRequestsPerMinute = 1_000;
