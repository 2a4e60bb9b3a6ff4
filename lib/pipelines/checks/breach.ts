import type { Edit, Range } from '../../core/finding.ts';

/** One thing that a check of our own found. */
export interface CheckBreach {
  readonly check: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly component?: string;
  /** Tells it from others of the same check at the same component. */
  readonly subject: string;
  readonly message: string;
  readonly range: Range;
  readonly fix?: Edit;
  /** Why there is no sure fix. */
  readonly unfixable?: string;
}
