import { z } from 'zod';
import { compareFindings, type Finding, type Severity } from '../core/finding.ts';
import type { Outcome } from '../core/outcome.ts';
import type { GitHubConnection } from './connection.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten, shortenBytes } from './foreign-text.ts';
import { githubFailure } from './github-failure.ts';
import { readAnswer } from './read-answer.ts';

/** GitHub accepts this number of annotations per request; an update adds its annotations. */
const maximumPerRequest = 50;
/** Needs eight requests: a job has a thousand per hour, and more annotations would not be read. */
const maximumAnnotations = 400;
/** GitHub accepts 64 KB per message. */
const maximumMessage = 64_000;
/** GitHub refuses a summary above 65,535 characters. */
const maximumSummary = 65_535;

export interface CheckRunReport {
  readonly name: string;
  readonly sha: string;
  /** Equal for all check runs of the same project and commit. */
  readonly externalId: string;
  readonly outcome: Outcome;
  readonly title: string;
  /** Markdown; shortened to GitHub's limit of 65,535 characters. */
  readonly summary: string;
  readonly findings: readonly Finding[];
}

const levels = { error: 'failure', warning: 'warning', notice: 'notice' } as const satisfies Record<
  Severity,
  string
>;

/** The check run's conclusion for each outcome. */
export const checkConclusions = {
  passed: 'success',
  'already-done': 'success',
  failed: 'failure',
  error: 'failure',
  indeterminate: 'failure',
  cancelled: 'cancelled',
  'nothing-to-do': 'neutral',
  'skipped-fork': 'neutral',
  superseded: 'neutral',
} as const satisfies Record<Outcome, string>;

const made = z.object({ id: z.number(), html_url: z.string().nullish() });

function annotationOf(finding: Finding) {
  const oneLineOnly = finding.line === finding.endLine;
  return {
    path: finding.file,
    start_line: finding.line,
    end_line: finding.endLine,
    // GitHub's ends are inclusive, and it accepts columns only for a range on one line.
    ...(oneLineOnly
      ? { start_column: finding.column, end_column: Math.max(finding.column, finding.endColumn - 1) }
      : {}),
    annotation_level: levels[finding.severity],
    title: shorten(oneLine(finding.rule), 255),
    message: shortenBytes(
      // GitHub refuses an empty message.
      finding.message.split('\n').map(oneLine).join('\n').trim() || oneLine(finding.rule) || 'No message.',
      maximumMessage,
    ),
  };
}

/**
 * Creates a completed check run with annotations for the 400 most severe findings; returns its address. Throws
 * Failure 'github-failed'.
 */
export async function makeCheckRun(
  { octokit, owner, repo }: GitHubConnection,
  report: CheckRunReport,
): Promise<string | undefined> {
  const open = report.findings.filter(({ state }) => state === 'new').toSorted(compareFindings);
  const annotations = open.slice(0, maximumAnnotations).map(annotationOf);
  const left = open.length - annotations.length;
  const more =
    left === 0
      ? ''
      : `\n\n${String(left)} more findings have no annotation. See the job summary for all findings.`;
  const batch = (index: number) =>
    annotations.slice(index * maximumPerRequest, (index + 1) * maximumPerRequest);
  const batches = Math.max(1, Math.ceil(annotations.length / maximumPerRequest));
  const summary = `${shorten(report.summary, maximumSummary - more.length)}${more}`;
  const output = { title: shorten(oneLine(report.title), 255), summary };
  const end = { status: 'completed', conclusion: checkConclusions[report.outcome] } as const;
  try {
    const { data } = await octokit.rest.checks.create({
      owner,
      repo,
      name: report.name,
      head_sha: report.sha,
      external_id: report.externalId,
      output: { ...output, annotations: batch(0) },
      ...(batches === 1 ? end : { status: 'in_progress' as const }),
    });
    const { id, html_url } = readAnswer(made, data);
    for (let index = 1; index < batches; index += 1) {
      await octokit.rest.checks.update({
        owner,
        repo,
        check_run_id: id,
        output: { ...output, annotations: batch(index) },
        // Completed with the last batch, so that a completed check does not change.
        ...(index === batches - 1 ? end : {}),
      });
    }
    return html_url ?? undefined;
  } catch (error) {
    throw githubFailure('create a check run', 'checks: write', error);
  }
}
