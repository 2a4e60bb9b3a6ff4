import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { markdownText } from '../../../lib/report/markdown-text.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { failureDetails } from '../../../lib/github/access/failure-details.ts';
import { statusTexts } from '../../../lib/github/endpoints/statuses.ts';
import type { WriteBudget } from '../../rate-limit/write-budget.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { NotYet } from './channels/channel.ts';
import { lacksPermission } from './channels/lacks-permission.ts';

/** Context of the status or check for an error in the settings themselves, not in a lane. */
const policyContext = 'millrace/policy';

/** The text that replaces a reported refusal whose text begins with `insteadOf`, if the commit shows it. */
export interface Correction {
  readonly since: string;
  readonly insteadOf: string;
}

/** Reports on a commit why nothing is promoted, or corrects that report. */
export type ReportRefusal = (
  repository: Pick<GitHubRepository, 'id' | 'fullName'>,
  sha: string,
  what: string | Correction,
) => Promise<void>;

interface RefusalContext {
  readonly github: GitHubPort;
  readonly budget: Pick<WriteBudget, 'take'>;
  readonly logger: Logger;
}

/** GitHub will never accept it: the commit does not exist, or it has too many commit statuses. */
const permanentErrors = new Set([410, 422]);

/**
 * Creates the reporter of refused pushes. It writes a failed check run or, with a token or without that permission,
 * a commit status. A refusal is reported once for a commit, even if the push is delivered twice. Without both
 * permissions, only the log has the refusal. Throws Failure 'github-failed' or NotYet if a later attempt may
 * succeed.
 */
export function createRefusalReporter({ github, budget, logger }: RefusalContext): ReportRefusal {
  async function reportByCheck(fullName: string, sha: string, what: string | Correction): Promise<void> {
    const text = textOf(what);
    const about = { commit: sha, name: policyContext, externalId: 'policy' };
    const id = await github.checks.find(fullName, about);
    const shown = id === undefined ? undefined : await github.checks.read(fullName, id);
    const title = text.slice(0, 255);
    if (!mustWrite(what, title, shown?.title)) return;
    await takeWrite(fullName);
    const content = {
      title,
      summary: markdownText(text),
      text: '',
      status: 'completed',
      conclusion: typeof what === 'string' ? 'failure' : 'success',
    } as const;
    if (id === undefined)
      await github.checks.create(fullName, { ...about, ...content, detailsUrl: undefined });
    else await github.checks.update(fullName, id, content);
  }

  async function reportByStatus(fullName: string, sha: string, what: string | Correction): Promise<void> {
    const status = { context: policyContext, description: textOf(what) };
    const shown = await github.readStatus(fullName, sha, policyContext);
    if (!mustWrite(what, statusTexts(status).description, shown?.description)) return;
    await takeWrite(fullName);
    const state = typeof what === 'string' ? 'error' : 'success';
    await github.setStatus(fullName, { sha, state, ...status });
  }

  async function takeWrite(fullName: string): Promise<void> {
    const wait = await budget.take(await github.accountOf(fullName), 'refusal');
    if (wait > 0) throw new NotYet(wait);
  }

  return async ({ id, fullName }, sha, what) => {
    if (github.kind === 'app') {
      try {
        return await reportByCheck(fullName, sha, what);
      } catch (error) {
        if (!(await lacksPermission('check', id, error, github))) throw error;
      }
    }
    try {
      await reportByStatus(fullName, sha, what);
    } catch (error) {
      const isFinal = permanentErrors.has(failureDetails(error).status ?? 0);
      if (!isFinal && !(await lacksPermission('status', id, error, github))) throw error;
      logger.warn('Reporting a refusal on GitHub failed.', {
        repository: fullName,
        error: messageOf(error),
      });
    }
  };
}

const textOf = (what: string | Correction): string => (typeof what === 'string' ? what : what.since);

/** Whether the commit must show another text than it does. */
function mustWrite(what: string | Correction, text: string, shown: string | null | undefined): boolean {
  return typeof what === 'string' ? shown !== text : shown?.startsWith(what.insteadOf) === true;
}
