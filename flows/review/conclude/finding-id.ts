import type { Finding } from '../../../lib/core/outcomes/finding.ts';

/** Enough digits to be unique among the findings of a project. */
const idLength = 10;

/** The id of a finding for people: the first digits of its fingerprint. It stays when lines move. */
export function findingId({ fingerprint }: Pick<Finding, 'fingerprint'>): string {
  return fingerprint.slice(0, idLength);
}
