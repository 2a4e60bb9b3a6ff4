/** Formats that only credentials have. A guess by randomness would also match ordinary names. */
export const credentialForms: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /-----BEGIN [A-Z ]+-----/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /^\s*(?:bearer|basic)\s+\S{8,}/i,
];
