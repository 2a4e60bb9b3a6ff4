import { gzipSync } from 'node:zlib';
import { type ReviewReport, sarifOf, type SarifSource } from '../../flows/index.ts';
import { shorten } from '../../lib/github/foreign-text.ts';
import { compareFindings, type Finding } from '../../lib/core/finding.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import { version } from '../../lib/core/version.ts';
import type { Step } from '../kit/step.ts';

/** Of a file with more results GitHub shows these many; of one with more than 25,000 none. */
export const maximumResults = 5_000;
/** GitHub refuses a file that is larger than this when packed. */
const maximumPacked = 10_000_000;
const maximumMessage = 4_000;

/** A review as a file for GitHub's code scanning. */
export interface SarifFile {
  readonly text: string;
  /** How many findings had to be left out, the mildest ones. */
  readonly left: number;
}

export interface SarifFileOptions {
  readonly source?: SarifSource | undefined;
  readonly packedLimit?: number | undefined;
}

/** Where this action comes from, for links to its pages; nothing for one of the workflow's own folder (`uses: ./…`). */
export function actionSource({
  environment,
  facts,
}: Pick<Step, 'environment' | 'facts'>): SarifSource | undefined {
  const repository = environment['GITHUB_ACTION_REPOSITORY'] ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined;
  return { repository: `${facts.serverUrl}/${repository}`, ref: environment['GITHUB_ACTION_REF'] || 'HEAD' };
}

/**
 * A review as SARIF within what GitHub takes. What is fixed or may stay is left out: GitHub reads neither states nor
 * suppressions, and would show both as open.
 * @param directory of the project; each one has its own category, or they would replace each other
 */
export function sarifFile(
  review: ReviewReport,
  findings: readonly Finding[],
  directory: string,
  { source, packedLimit = maximumPacked }: SarifFileOptions = {},
): SarifFile {
  const open = findings.filter(({ state }) => state !== 'fixed').toSorted(compareFindings);
  const category = directory === '' ? 'millrace/review/' : `millrace/review/${directory}/`;
  for (let count = Math.min(open.length, maximumResults); ; count = Math.floor(count / 2)) {
    const shown = open
      .slice(0, count)
      .map((finding) => ({ ...finding, message: shorten(finding.message || finding.rule, maximumMessage) }));
    const sarif = sarifOf({ ...review, findings: shown, suppressed: [] }, version, { category, source });
    const text = `${JSON.stringify(sarif)}\n`;
    // Packing a text makes it hardly ever larger, so a small one need not be tried.
    if (count === 0 || text.length * 3 <= packedLimit || gzipSync(text).length <= packedLimit)
      return { text, left: open.length - count };
  }
}

/** What to say about findings that are not in the file. */
export function sarifNotes({ left }: SarifFile): string[] {
  return left === 0
    ? []
    : [
        `${numberOf(left, 'finding is', 'findings are')} not in the SARIF file, which holds the worst: GitHub would not show more.`,
      ];
}
