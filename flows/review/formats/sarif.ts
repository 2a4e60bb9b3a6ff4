import { sarifDocument, type SarifSource } from '../../findings/sarif.ts';
import { helpOf, pageOf } from '../evaluate/rule-help.ts';
import type { ReviewReport } from '../scope/review-request.ts';

export interface SarifOptions {
  /** Distinguishes the SARIF files of several projects in one repository; ends with `/`. */
  readonly category?: string | undefined;
  /** Without it there are no links: SARIF accepts absolute URLs only. */
  readonly source?: SarifSource | undefined;
}

/** Renders a review as SARIF 2.1.0. `version` is the version of Millrace. */
export function sarifOf(
  { findings, suppressed, commit, outcome, reviewedFrom }: ReviewReport,
  version: string,
  { category = 'millrace/review/', source }: SarifOptions = {},
): Record<string, unknown> {
  const properties = { outcome, commit, reviewedFrom };
  return sarifDocument({ findings, suppressed, version, category, source, helpOf, pageOf, properties });
}
