/** Findings about a change, which a baseline cannot hold. */
export const policyRules: ReadonlySet<string> = new Set([
  'millrace/policy-changed',
  'millrace/rules-loosened',
]);
