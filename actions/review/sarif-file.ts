import { gzipSync } from 'node:zlib';
import type { SarifSource } from '../../flows/findings/sarif.ts';
import { sarifOf } from '../../flows/review/formats/sarif.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import { shorten } from '../../lib/core/text/shorten.ts';
import { compareFindings, type Finding } from '../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { version } from '../../lib/core/values/version.ts';
import { digestOf } from '../kit/inputs/report-key.ts';
import type { Step } from '../kit/step/step.ts';

/** The maximum number of results that GitHub shows of a file. Of a file with more than 25,000, it shows none. */
export const maxResults = 5_000;
/** GitHub refuses a file with a larger gzip size, in bytes. */
const maxPackedBytes = 10_000_000;
const maxMessageLength = 4_000;

/** A review as a file for GitHub's code scanning. */
export interface SarifFile {
  readonly text: string;
  /** How many findings are not in the file: the ones with the lowest severity. */
  readonly left: number;
}

export interface SarifFileOptions {
  readonly source?: SarifSource | undefined;
  readonly packedLimit?: number | undefined;
  /** The named files, if only these were reviewed. */
  readonly files?: readonly string[] | undefined;
}

/** The repository of this action, for links to its pages; undefined for a local action (`uses: ./…`). */
export function actionSource({
  environment,
  facts,
}: Pick<Step, 'environment' | 'facts'>): SarifSource | undefined {
  const repository = environment['GITHUB_ACTION_REPOSITORY'] ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined;
  return { repository: `${facts.serverUrl}/${repository}`, ref: environment['GITHUB_ACTION_REF'] || 'HEAD' };
}

/**
 * A review as SARIF within GitHub's limits. Fixed and suppressed findings are left out, because GitHub would show
 * them as open.
 * @param directory of the project. Each project has its own category, and so has each list of named files: a file
 * replaces the earlier file of its category, and results that it lacks count as fixed
 */
export function sarifFile(
  review: ReviewReport,
  findings: readonly Finding[],
  directory: string,
  { source, packedLimit = maxPackedBytes, files = [] }: SarifFileOptions = {},
): SarifFile {
  const open = findings.filter(({ state }) => state !== 'fixed').toSorted(compareFindings);
  const partial = files.length === 0 ? '' : `files-${digestOf([...new Set(files)].toSorted())}/`;
  const category = `millrace/review/${directory === '' ? '' : `${directory}/`}${partial}`;
  for (let count = Math.min(open.length, maxResults); ; count = Math.floor(count / 2)) {
    const shown = open.slice(0, count).map((finding) => ({
      ...finding,
      message: shorten(finding.message || finding.rule, maxMessageLength),
    }));
    const sarif = sarifOf({ ...review, findings: shown, suppressed: [] }, version, { category, source });
    const text = `${JSON.stringify(sarif)}\n`;
    // gzip hardly ever makes a text larger, so a small text need not be compressed to check its size.
    if (count === 0 || text.length * 3 <= packedLimit || gzipSync(text).length <= packedLimit)
      return { text, left: open.length - count };
  }
}

/** The note about findings that are left out of the file; empty if there are none. */
export function sarifNotes({ left }: SarifFile): string[] {
  return left === 0
    ? []
    : [
        `${numberOf(left, 'finding is', 'findings are')} not in the SARIF file. It contains the most severe findings, and GitHub does not show more.`,
      ];
}
