/** The kinds of facts, as `worker.yaml` names them. */
export const evidenceKinds = ['provenance', 'snapshot', 'review', 'tests', 'diff', 'approvals'] as const;

export type EvidenceKind = (typeof evidenceKinds)[number];

/** The predicate type of each kind. A predicate whose meaning changes gets a new number. */
export const predicateTypes: Readonly<Record<EvidenceKind, string>> = {
  provenance: 'https://slsa.dev/provenance/v1',
  snapshot: 'urn:millrace:snapshot:v1',
  review: 'urn:millrace:review:v1',
  tests: 'urn:millrace:tests:v1',
  diff: 'urn:millrace:data-diff:v1',
  approvals: 'urn:millrace:approvals:v1',
};
