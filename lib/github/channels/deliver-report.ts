import { Failure } from '../../core/errors/failure.ts';
import { annotationCommands } from '../../report/annotations.ts';
import { createAnnotatedCheck, type WrittenCheck } from './annotated-check.ts';
import type { GitHubConnection } from '../workflow-run/connect-github.ts';
import { withoutSecrets } from '../../report/report.ts';
import { isNews, type Report } from '../../report/report.ts';
import { type CommentPart, isBad, fileLimit, partsMarkdown, reportMarkdown } from '../../report/markdown.ts';
import { putStickyComment, type WrittenReport } from './sticky-comment.ts';

/** Whether a channel is used. `auto`: if it is allowed. */
export type Channel = 'auto' | 'off';

export interface DeliveryOptions {
  /** Without a connection, only channels without a permission are used. */
  readonly connection: GitHubConnection | undefined;
  /** Base of the web pages, `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly commit: string;
  readonly pullRequest: number | undefined;
  /** Distinguishes the reports of several projects in one repository. */
  readonly key: string;
  readonly check: Channel;
  readonly comment: Channel;
  /** Writes a line to the log of the step. */
  readonly writeLine: (line: string) => void;
  /** Masks the secrets of the step: nothing reaches GitHub without it. */
  readonly redact: (text: string) => string;
}

export interface Delivery {
  /** Markdown for the job summary. */
  readonly summary: string;
  /** The notes of the report, and the channels that failed. */
  readonly notes: readonly string[];
  readonly checkUrl: string | undefined;
  readonly commentUrl: string | undefined;
}

const limits = {
  check: 65_000,
  comment: 65_000,
  shortComment: 8_000,
} as const;

/** Runs one channel. A refusal becomes a note, because the exit code is the gate and must not depend on a channel. */
async function attempt<T extends WrittenReport>(
  notes: string[],
  channel: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const written = await work();
    if (written.note !== undefined) notes.push(written.note);
    return written;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
    notes.push(`${channel} was not written. ${error.message} ${error.hint}`);
    return undefined;
  }
}

/**
 * Delivers a report: a check run with annotations, or else annotations by workflow commands; one comment per project
 * on a pull request; the job summary. No finding is annotated twice, and a channel that is not allowed becomes a
 * note.
 */
export async function deliverReport(unmasked: Report, options: DeliveryOptions): Promise<Delivery> {
  const report = withoutSecrets(unmasked, options.redact);
  const { connection, commit, pullRequest, key, writeLine } = options;
  const notes = [...report.notes];
  let check: WrittenCheck | undefined;
  let comment: WrittenReport | undefined;
  const blobUrl =
    connection === undefined ? undefined : `${options.serverUrl}/${connection.repository}/blob/${commit}`;
  if (connection !== undefined && options.check === 'auto') {
    check = await attempt(notes, 'The check run', () =>
      createAnnotatedCheck(connection, {
        ...checkOf(report, key, commit),
        summary: reportMarkdown(report, { limit: limits.check, blobUrl, brief: true }),
      }),
    );
  }
  if (connection !== undefined && options.comment === 'auto' && pullRequest !== undefined) {
    comment = await attempt(notes, 'The comment', () =>
      putStickyComment(connection, {
        pullRequest,
        commit,
        key,
        body: reportMarkdown(report, { limit: limits.comment, blobUrl, brief: true }),
        shortBody: reportMarkdown(report, { limit: limits.shortComment, blobUrl, brief: true }),
        // An existing comment is updated in any case.
        create: isNews(report),
      }),
    );
  }
  const left = check === undefined ? report.findings : check.unannotated;
  for (const line of annotationCommands(left, { rest: 'the job summary' })) writeLine(line);
  return {
    summary: reportMarkdown({ ...report, notes }, { limit: fileLimit, blobUrl }),
    notes,
    checkUrl: check?.url,
    commentUrl: comment?.url,
  };
}

/**
 * Keeps one comment with several reports on a pull request. If comments are not allowed, returns a note.
 * @param parts not empty
 */
export async function deliverParts(
  unmasked: readonly CommentPart[],
  {
    connection,
    serverUrl,
    commit,
    pullRequest,
    key,
    redact,
  }: Pick<DeliveryOptions, 'serverUrl' | 'commit' | 'key' | 'redact'> & {
    readonly connection: GitHubConnection;
    readonly pullRequest: number;
  },
): Promise<{ readonly notes: readonly string[]; readonly url: string | undefined }> {
  const notes: string[] = [];
  const parts = unmasked.map(({ label, report }) => ({
    label,
    report: report && withoutSecrets(report, redact),
  }));
  const blobUrl = `${serverUrl}/${connection.repository}/blob/${commit}`;
  const written = await attempt(notes, 'The comment', () =>
    putStickyComment(connection, {
      pullRequest,
      commit,
      key,
      body: partsMarkdown(parts, { limit: limits.comment, blobUrl, commit }),
      shortBody: partsMarkdown(parts, { limit: limits.shortComment, blobUrl, commit }),
      create: parts.some((part) => isBad(part) || (part.report !== undefined && isNews(part.report))),
    }),
  );
  return { notes, url: written?.url };
}

/**
 * Reports that there is no verdict: with a failed check run, and in an existing comment. Creates no new comment.
 * Returns notes on the channels that failed.
 */
export async function deliverFailure(
  unmasked: Report,
  {
    connection,
    commit,
    pullRequest,
    key,
    check,
    comment,
    redact,
  }: Pick<DeliveryOptions, 'commit' | 'pullRequest' | 'key' | 'check' | 'comment' | 'redact'> & {
    readonly connection: GitHubConnection;
  },
): Promise<readonly string[]> {
  const notes: string[] = [];
  const report = withoutSecrets(unmasked, redact);
  const body = reportMarkdown(report, { limit: limits.comment });
  if (check === 'auto') {
    await attempt(notes, 'The check run', () =>
      createAnnotatedCheck(connection, { ...checkOf(report, key, commit), summary: body }),
    );
  }
  if (comment === 'auto' && pullRequest !== undefined) {
    await attempt(notes, 'The comment', () =>
      putStickyComment(connection, { pullRequest, commit, key, body, shortBody: body, create: false }),
    );
  }
  return notes;
}

/** One name for all outcomes of a review, so that it can be found and required. */
function checkOf(report: Report, key: string, commit: string) {
  return {
    name: `Millrace ${key}`,
    commit,
    externalId: `millrace:${key}`,
    outcome: report.outcome,
    title: report.headline,
    findings: report.findings,
  };
}
