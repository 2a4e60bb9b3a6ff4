import { createHash } from 'node:crypto';

/** What identifies a finding, without its position. */
export interface FindingIdentity {
  readonly rule: string;
  readonly file: string;
  readonly component?: string | undefined;
  readonly subject?: string | undefined;
}

/**
 * The stable identities of findings, in the given order: 32 hexadecimal digits made from rule, file, component,
 * subject, and the number among equal findings. Line numbers and wording are not included, so moved lines and new
 * messages do not change them.
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
