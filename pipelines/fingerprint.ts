import { createHash } from 'node:crypto';

/** What a finding is, apart from where it stands. */
export interface FindingIdentity {
  readonly rule: string;
  readonly file: string;
  readonly component?: string | undefined;
}

/**
 * Stable identities, one for each finding in the order given: 32 hexadecimal digits of rule, file, component and the
 * ordinal among equals. No line numbers and no wording, so they survive moved lines and new messages.
 */
export function fingerprints(findings: Iterable<FindingIdentity>): readonly string[] {
  const seen = new Map<string, number>();
  return Array.from(findings, ({ rule, file, component }) => {
    const identity = JSON.stringify([rule, file, component ?? null]);
    const ordinal = seen.get(identity) ?? 0;
    seen.set(identity, ordinal + 1);
    return createHash('sha256').update(`${identity}${ordinal}`).digest('hex').slice(0, 32);
  });
}
