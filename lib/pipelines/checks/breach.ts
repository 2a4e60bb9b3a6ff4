import type { Edit, Range } from '../../core/finding.ts';

/** One result of Millrace's own checks. */
export interface CheckBreach {
  readonly check: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly component?: string;
  /** Distinguishes it from other results of the same check at the same component. */
  readonly subject: string;
  readonly message: string;
  readonly range: Range;
  readonly fix?: Edit;
  /** Why there is no automatic fix. */
  readonly unfixable?: string;
}
