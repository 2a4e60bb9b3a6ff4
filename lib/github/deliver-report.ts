import { Failure } from '../core/failure.ts';
import { annotationCommands } from './annotation-commands.ts';
import { makeCheckRun } from './check-run.ts';
import type { GitHubConnection } from './connection.ts';
import type { Report } from './report.ts';
import { reportMarkdown } from './report-markdown.ts';
import { putStickyComment } from './sticky-comment.ts';

/** Whether a channel is used: `auto` where it is allowed. */
export type Channel = 'auto' | 'off';

export interface DeliveryOptions {
  /** Without one, only what needs no permission is written. */
  readonly connection: GitHubConnection | undefined;
  /** Base of the web pages, `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly commit: string;
  readonly pullRequest: number | undefined;
  /** Tells reports on several projects of one repository apart. */
  readonly key: string;
  readonly check: Channel;
  readonly comment: Channel;
  /** Writes a line to the log of the step. */
  readonly writeLine: (line: string) => void;
}

export interface Delivery {
  /** Markdown for the job summary. */
  readonly summary: string;
  /** Those of the report, and what was left out. */
  readonly notes: readonly string[];
  readonly checkUrl: string | undefined;
  readonly commentUrl: string | undefined;
}

const limits = {
  /** GitHub drops a whole summary above 1 MiB, and other steps write into theirs, not ours. */
  summary: 1_000_000,
  check: 65_000,
  comment: 65_000,
  shortComment: 8_000,
} as const;

/** Runs one channel; a refusal is a note, because the exit code is the gate and depends on no channel. */
async function attempt(
  notes: string[],
  channel: string,
  work: () => Promise<string | undefined>,
): Promise<{ url: string | undefined; done: boolean }> {
  try {
    return { url: await work(), done: true };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notes.push(`${channel} was left out. ${error.message} ${error.hint}`);
    return { url: undefined, done: false };
  }
}

/**
 * Brings one report to people: a check run with annotations, else annotations by workflow commands; one comment per
 * project on a pull request; the job summary. Nothing is shown inline twice, and what is not allowed is said.
 */
export async function deliverReport(report: Report, options: DeliveryOptions): Promise<Delivery> {
  const { connection, commit, pullRequest, key, writeLine } = options;
  const notes = [...report.notes];
  let check: { url: string | undefined; done: boolean } = { url: undefined, done: false };
  let comment = check;
  const blobUrl =
    connection === undefined
      ? undefined
      : `${options.serverUrl}/${connection.owner}/${connection.repo}/blob/${commit}`;
  if (connection !== undefined && options.check === 'auto') {
    check = await attempt(notes, 'The check run', () =>
      makeCheckRun(connection, {
        ...checkOf(report, key, commit),
        summary: reportMarkdown(report, { limit: limits.check, blobUrl, brief: true }),
      }),
    );
  }
  if (connection !== undefined && options.comment === 'auto' && pullRequest !== undefined) {
    comment = await attempt(notes, 'The comment', () =>
      putStickyComment(connection, {
        pullRequest,
        key,
        body: reportMarkdown(report, { limit: limits.comment, blobUrl, brief: true }),
        shortBody: reportMarkdown(report, { limit: limits.shortComment, blobUrl, brief: true }),
        // A clean pull request gets no comment; one that became clean is told so in the comment that is there.
        create: report.findings.some(({ state }) => state === 'new'),
      }),
    );
  }
  if (!check.done) {
    for (const line of annotationCommands(report.findings, { rest: 'in the job summary' })) writeLine(line);
  }
  return {
    summary: reportMarkdown({ ...report, notes }, { limit: limits.summary, blobUrl }),
    notes,
    checkUrl: check.url,
    commentUrl: comment.url,
  };
}

/**
 * Says that this time there is no verdict: by a check run that failed, and in the comment that is there already; none
 * is made for that. Gives notes on what could not be done.
 */
export async function deliverFailure(
  report: Report,
  {
    connection,
    commit,
    pullRequest,
    key,
    check,
    comment,
  }: Pick<DeliveryOptions, 'commit' | 'pullRequest' | 'key' | 'check' | 'comment'> & {
    readonly connection: GitHubConnection;
  },
): Promise<readonly string[]> {
  const notes: string[] = [];
  const body = reportMarkdown(report, { limit: limits.comment });
  if (check === 'auto') {
    await attempt(notes, 'The check run', () =>
      makeCheckRun(connection, { ...checkOf(report, key, commit), summary: body }),
    );
  }
  if (comment === 'auto' && pullRequest !== undefined) {
    await attempt(notes, 'The comment', () =>
      putStickyComment(connection, { pullRequest, key, body, shortBody: body, create: false }),
    );
  }
  return notes;
}

/** One name for all ends of a review, so that it can be found and required. */
function checkOf(report: Report, key: string, commit: string) {
  return {
    name: `Millrace ${key}`,
    sha: commit,
    externalId: `millrace:${key}`,
    outcome: report.outcome,
    title: report.headline,
    findings: report.findings,
  };
}
