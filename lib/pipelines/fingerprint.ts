import { createHash } from 'node:crypto';

/** The identity of a finding without its position. */
export interface FindingIdentity {
  readonly rule: string;
  readonly file: string;
  readonly component?: string | undefined;
  readonly subject?: string | undefined;
}

/**
 * Stable identities, one for each finding in the order given: 32 hexadecimal digits of rule, file, component, subject
 * and the ordinal among equals. No line numbers and no wording, so they survive moved lines and new messages.
 */
export function fingerprints(findings: Iterable<FindingIdentity>): readonly string[] {
  const seen = new Map<string, number>();
  return Array.from(findings, (finding) => {
    const identity = identityOf(finding);
    const ordinal = seen.get(identity) ?? 0;
    seen.set(identity, ordinal + 1);
    return fingerprintOf(finding, ordinal);
  });
}

/** The fingerprint of a finding; `ordinal`: the number of equal findings before it. */
export function fingerprintOf(finding: FindingIdentity, ordinal: number): string {
  return createHash('sha256')
    .update(`${identityOf(finding)}${ordinal}`)
    .digest('hex')
    .slice(0, 32);
}

function identityOf({ rule, file, component, subject }: FindingIdentity): string {
  return JSON.stringify([rule, file, component ?? null, ...(subject === undefined ? [] : [subject])]);
}
