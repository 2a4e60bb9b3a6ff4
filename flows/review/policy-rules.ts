/** Rules about a change; a baseline cannot record their findings. */
export const policyRules: ReadonlySet<string> = new Set([
  'millrace/policy-changed',
  'millrace/rules-loosened',
]);
