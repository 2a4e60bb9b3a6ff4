import type { Logger } from '../../../lib/core/ports.ts';
import { markdownText } from '../../../lib/github/foreign-text.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { WriteBudget } from '../../rate-limit/write-budget.ts';
import { messageOf } from '../../promotion/advance.ts';

/** Context of the status or check for an error in the settings themselves, not in a lane. */
const policyContext = 'millrace/policy';

/** Reports on a commit why nothing is promoted. */
export type ReportRefusal = (fullName: string, sha: string, reason: string) => Promise<void>;

/**
 * Creates the reporter of refusals, as a failed check run or a status; once for a commit, also for a second
 * delivery. If GitHub denies the write, only the log shows the refusal. Throws Failure 'github-failed' if it
 * may work later.
 */
export function createRefusalReporter({
  github,
  budget,
  logger,
}: {
  readonly github: GitHubPort;
  readonly budget: WriteBudget;
  readonly logger: Logger;
}): ReportRefusal {
  async function report(fullName: string, sha: string, reason: string): Promise<void> {
    if (github.kind === 'app') {
      const about = { commit: sha, name: policyContext, externalId: 'policy' };
      if ((await github.checks.find(fullName, about)) !== undefined) return;
      if (!(await mayWrite(fullName))) return;
      const content = { title: reason.slice(0, 255), summary: markdownText(reason), text: '' };
      await github.checks.create(fullName, {
        ...about,
        ...content,
        status: 'completed',
        conclusion: 'failure',
        detailsUrl: undefined,
      });
      return;
    }
    if ((await github.readStatus(fullName, sha, policyContext)) !== undefined) return;
    if (!(await mayWrite(fullName))) return;
    await github.setStatus(fullName, { sha, state: 'error', context: policyContext, description: reason });
  }

  async function mayWrite(fullName: string): Promise<boolean> {
    const wait = await budget.take(await github.accountOf(fullName), 'end');
    if (wait > 0)
      logger.warn('A refusal is not reported on GitHub: the write budget is used up.', { fullName });
    return wait === 0;
  }

  return async (fullName, sha, reason) => {
    try {
      await report(fullName, sha, reason);
    } catch (error) {
      if (!failureDetails(error).refused) throw error;
      logger.warn('Reporting a refusal on GitHub failed.', {
        repository: fullName,
        error: messageOf(error),
      });
    }
  };
}
