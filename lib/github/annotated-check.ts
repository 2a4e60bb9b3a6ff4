import { compareFindings, type Finding, type Severity } from '../core/finding.ts';
import type { Outcome } from '../core/outcome.ts';
import { oneLine } from '../core/sanitize-text.ts';
import {
  type CheckAnnotation,
  checkConclusions,
  checkTitle,
  maxAnnotationsPerRequest,
} from './check-content.ts';
import type { GitHubConnection } from './connect-github.ts';
import { shorten, shortenBytes } from './foreign-text.ts';

/** Eight requests: a job may send a thousand in an hour, and no reader needs more annotations than that. */
const maxAnnotations = 400;
/** GitHub accepts 64 KB in a message. */
const maxMessageBytes = 64_000;
/** GitHub refuses a summary above 65,535 characters. */
const maxSummary = 65_535;

export interface AnnotatedCheck {
  readonly name: string;
  readonly commit: string;
  /** The same for every run about the same thing. */
  readonly externalId: string;
  readonly outcome: Outcome;
  readonly title: string;
  /** Markdown; shortened to the 65,535 characters that GitHub accepts. */
  readonly summary: string;
  readonly findings: readonly Finding[];
}

const levels = { error: 'failure', warning: 'warning', notice: 'notice' } as const satisfies Record<
  Severity,
  string
>;

function annotationOf(finding: Finding): CheckAnnotation {
  const isOneLine = finding.line === finding.endLine;
  return {
    path: finding.file,
    start_line: finding.line,
    end_line: finding.endLine,
    // GitHub's end column is inclusive, and it accepts columns only for annotations of one line.
    ...(isOneLine
      ? { start_column: finding.column, end_column: Math.max(finding.column, finding.endColumn - 1) }
      : {}),
    annotation_level: levels[finding.severity],
    title: shorten(oneLine(finding.rule), 255),
    message: shortenBytes(
      // GitHub refuses an empty message.
      finding.message.split('\n').map(oneLine).join('\n').trim() || oneLine(finding.rule) || 'No message.',
      maxMessageBytes,
    ),
  };
}

/**
 * Creates a completed check run with an annotation for each of the 400 worst new findings. Returns its address. Throws
 * Failure 'github-failed'.
 */
export async function createAnnotatedCheck(
  { checks, repository }: Pick<GitHubConnection, 'checks' | 'repository'>,
  { name, commit, externalId, outcome, title, summary, findings }: AnnotatedCheck,
): Promise<string | undefined> {
  const newFindings = findings.filter(({ state }) => state === 'new').toSorted(compareFindings);
  const annotations = newFindings.slice(0, maxAnnotations).map(annotationOf);
  const hidden = newFindings.length - annotations.length;
  const more =
    hidden === 0
      ? ''
      : `\n\n${hidden} more findings have no annotation. See the job summary for all findings.`;
  const batches = Math.max(1, Math.ceil(annotations.length / maxAnnotationsPerRequest));
  const contentOf = (batch: number) => ({
    title: checkTitle(title),
    summary: `${shorten(summary, maxSummary - more.length)}${more}`,
    annotations: annotations.slice(batch * maxAnnotationsPerRequest, (batch + 1) * maxAnnotationsPerRequest),
    // Completed by the last batch, so that a completed check run does not change any more.
    ...(batch === batches - 1
      ? { status: 'completed' as const, conclusion: checkConclusions[outcome] }
      : { status: 'in_progress' as const, conclusion: undefined }),
  });
  const { id, url } = await checks.create(repository, { name, commit, externalId, ...contentOf(0) });
  for (let batch = 1; batch < batches; batch += 1) await checks.update(repository, id, contentOf(batch));
  return url;
}
