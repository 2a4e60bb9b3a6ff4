import type { Finding } from '../../lib/core/outcomes/finding.ts';

/** A suppressed finding, with the reason. */
export interface SuppressedFinding extends Finding {
  /** A comment in the pipeline, or an entry of `millrace.yaml`. */
  readonly suppressedBy: 'comment' | 'settings';
  readonly reason: string;
}
