import { messageOf } from '../../core/errors/message-of.ts';
import { Failure } from '../../core/errors/failure.ts';
import { compareFindings, type Finding, type Severity } from '../../core/outcomes/finding.ts';
import { numberOf } from '../../core/text/number-of.ts';
import type { Outcome } from '../../core/outcomes/outcome.ts';
import { oneLine } from '../../core/text/sanitize-text.ts';
import {
  type CheckAnnotation,
  type CheckContent,
  checkConclusions,
  checkTitle,
  maxAnnotationsPerRequest,
} from '../endpoints/check-content.ts';
import type { GitHubConnection } from '../workflow-run/connect-github.ts';
import { failureDetails } from '../access/failure-details.ts';
import { shorten, shortenBytes } from '../../core/text/shorten.ts';
import type { WrittenReport } from './sticky-comment.ts';

/** Eight requests: a job may send a thousand in an hour, and no reader needs more annotations than that. */
const maxAnnotations = 400;
/** GitHub accepts 64 KB in a message. */
const maxMessageBytes = 64_000;
/** GitHub refuses a larger summary. */
const maxSummaryBytes = 65_535;

type CheckConnection = Pick<GitHubConnection, 'checks' | 'lastChecks' | 'repository'>;

export interface AnnotatedCheck {
  readonly name: string;
  readonly commit: string;
  /** The same for every run about the same thing. */
  readonly externalId: string;
  readonly outcome: Outcome;
  readonly title: string;
  /** Markdown; shortened to the 65,535 bytes that GitHub accepts. */
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

/** The check run that was written, and what could not be written. */
export interface WrittenCheck extends WrittenReport {
  /** New findings that are certainly not annotated, and could be annotated in another way. */
  readonly unannotated: readonly Finding[];
}

/**
 * Creates a completed check run with an annotation for each of the 400 worst new findings. If GitHub refuses some of them,
 * or the run is cancelled in between, the check run is completed without them; a note says so. Also completes what
 * an earlier run left in progress. Throws Failure 'github-failed' if no check run was created, and 'cancelled'.
 */
export async function createAnnotatedCheck(
  connection: CheckConnection,
  { name, commit, externalId, outcome, title, summary, findings }: AnnotatedCheck,
): Promise<WrittenCheck> {
  const { checks, repository } = connection;
  const newFindings = findings.filter(({ state }) => state === 'new').toSorted(compareFindings);
  const annotated = newFindings.slice(0, maxAnnotations);
  const hidden = newFindings.length - annotated.length;
  const more =
    hidden === 0 ? '' : `${hidden} more findings have no annotation. See the job summary for all findings.`;
  const batches = Math.max(1, Math.ceil(annotated.length / maxAnnotationsPerRequest));
  const completed = { status: 'completed' as const, conclusion: checkConclusions[outcome] };
  const shown = (last: string) => ({ title: checkTitle(title), summary: withLast(summary, last) });
  const contentOf = (batch: number) => ({
    ...shown(more),
    annotations: batchOf(annotated, batch).map(annotationOf),
    // Completed by the last batch, so that a completed check run does not change any more.
    ...(batch === batches - 1 ? completed : { status: 'in_progress' as const, conclusion: undefined }),
  });
  const about = { name, commit, externalId };
  const { id, url } = await checks
    .create(repository, { ...about, ...contentOf(0) })
    .catch(async (error: unknown) => {
      // It may exist, and be in progress, although the answer was lost.
      if (!failureDetails(error).refused) await completeLeftOver(connection, about);
      throw error;
    });
  for (let batch = 1; batch < batches; batch += 1) {
    try {
      await checks.update(repository, id, contentOf(batch));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const isCancelled = error.code === 'cancelled';
      const left = newFindings.length - batch * maxAnnotationsPerRequest;
      const missing = `${numberOf(left, 'finding has', 'findings have')} no annotation, because ${isCancelled ? 'the workflow run was cancelled' : 'GitHub did not take them'}. See the job summary for all findings.`;
      const end = isCancelled ? { ...completed, conclusion: 'cancelled' as const } : completed;
      const note = await complete(connection, id, { ...shown(missing), ...end }).then(
        () => `In the check run, ${missing} ${error.message}`,
        (fault: unknown) =>
          `The check run is still in progress, because GitHub did not complete it. Run the job again. ${messageOf(fault)}`,
      );
      if (isCancelled) throw error;
      // A batch whose answer was lost may be there.
      const first = failureDetails(error).refused ? batch : batch + 1;
      const unannotated = newFindings.slice(first * maxAnnotationsPerRequest);
      return { url, note, unannotated };
    }
  }
  await completeLeftOver(connection, about);
  return { url, unannotated: [] };
}

/** After the summary a last sentence, within GitHub's limit. */
function withLast(summary: string, last: string): string {
  const end = last === '' ? '' : `\n\n${last}`;
  return `${shortenBytes(summary, maxSummaryBytes - Buffer.byteLength(end))}${end}`;
}

function batchOf(findings: readonly Finding[], batch: number): readonly Finding[] {
  return findings.slice(batch * maxAnnotationsPerRequest, (batch + 1) * maxAnnotationsPerRequest);
}

/** Completes a check run that this run created, also after the run was cancelled. Throws Failure 'github-failed'. */
async function complete(
  { lastChecks, repository }: CheckConnection,
  id: number,
  content: CheckContent,
): Promise<void> {
  await lastChecks.update(repository, id, content);
}

/**
 * Completes the check runs of the same name that an earlier run left in progress: it was killed, or GitHub failed. If
 * GitHub refuses, the next run tries again.
 */
async function completeLeftOver(
  { lastChecks, repository }: CheckConnection,
  about: Pick<AnnotatedCheck, 'name' | 'commit' | 'externalId'>,
): Promise<void> {
  const left = {
    status: 'completed',
    conclusion: 'cancelled',
    title: 'Not completed',
    summary: 'The run that began this check run ended before it was complete.',
  } as const;
  try {
    for (const id of await lastChecks.findOpen(repository, about))
      await lastChecks.update(repository, id, left);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'github-failed') throw error;
  }
}
