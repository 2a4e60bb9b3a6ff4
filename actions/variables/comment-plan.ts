import { withoutSecrets } from '../../lib/report/report.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Report } from '../../lib/report/report.ts';
import { reportMarkdown } from '../../lib/report/markdown.ts';
import { putStickyComment } from '../../lib/github/channels/sticky-comment.ts';
import { connectToGitHub } from '../kit/step/connect-to-github.ts';
import type { Step } from '../kit/step/step.ts';

const [commentLimit, shortLimit] = [65_000, 8_000];

/**
 * Keeps one comment with the plan on the pull request. If there are no changes, an existing comment is updated, and
 * none is created. If GitHub refuses, a note says so.
 */
export async function commentPlan(
  report: Report,
  {
    hasChanges,
    ...place
  }: {
    readonly pullRequest: number;
    readonly commit: string;
    readonly key: string;
    readonly hasChanges: boolean;
  },
  token: string | undefined,
  step: Step,
): Promise<{ readonly url: string; readonly notes: readonly string[] }> {
  try {
    const connection = await connectToGitHub(token, step);
    if (connection === undefined)
      return { url: '', notes: ['The comment was not written: the input github-token is empty.'] };
    const masked = withoutSecrets(report, step.redact);
    const { url = '', note } = await putStickyComment(connection, {
      ...place,
      body: reportMarkdown(masked, { limit: commentLimit }),
      shortBody: reportMarkdown(masked, { limit: shortLimit }),
      create: hasChanges,
    });
    return { url, notes: note === undefined ? [] : [note] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { url: '', notes: [`The comment was not written. ${error.message} ${error.hint}`] };
  }
}
