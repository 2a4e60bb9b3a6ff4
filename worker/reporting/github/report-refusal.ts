import type { Logger } from '../../../lib/core/ports.ts';
import { markdownText } from '../../../lib/github/foreign-text.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import { statusTexts } from '../../../lib/github/statuses.ts';
import type { WriteBudget } from '../../rate-limit/write-budget.ts';
import { messageOf } from '../../promotion/advance.ts';

/** Context of the status or check for an error in the settings themselves, not in a lane. */
const policyContext = 'millrace/policy';

/** What replaces a refusal whose text begins with `insteadOf`, if the commit shows that one. */
export interface Correction {
  readonly since: string;
  readonly insteadOf: string;
}

/** Reports on a commit why nothing is promoted, or corrects that. */
export type ReportRefusal = (fullName: string, sha: string, what: string | Correction) => Promise<void>;

/**
 * Creates the reporter of refusals, as a failed check run or a status; the same one once for a commit, also for a second
 * delivery. If GitHub denies the write, only the log shows the refusal. Throws Failure 'github-failed' if it
 * may work later.
 */
export function createRefusalReporter({
  github,
  budget,
  logger,
}: {
  readonly github: GitHubPort;
  readonly budget: Pick<WriteBudget, 'take'>;
  readonly logger: Logger;
}): ReportRefusal {
  async function report(fullName: string, sha: string, what: string | Correction): Promise<void> {
    const text = typeof what === 'string' ? what : what.since;
    if (github.kind === 'app') {
      const about = { commit: sha, name: policyContext, externalId: 'policy' };
      const id = await github.checks.find(fullName, about);
      const shown = id === undefined ? undefined : await github.checks.read(fullName, id);
      const title = text.slice(0, 255);
      if (!mustWrite(what, title, shown?.title) || !(await mayWrite(fullName))) return;
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
      return;
    }
    const status = { context: policyContext, description: text };
    const shown = await github.readStatus(fullName, sha, policyContext);
    if (!mustWrite(what, statusTexts(status).description, shown?.description) || !(await mayWrite(fullName)))
      return;
    const state = typeof what === 'string' ? 'error' : 'success';
    await github.setStatus(fullName, { sha, state, ...status });
  }

  async function mayWrite(fullName: string): Promise<boolean> {
    const wait = await budget.take(await github.accountOf(fullName), 'refusal');
    if (wait > 0)
      logger.warn('A refusal is not reported on GitHub: the write budget is used up.', { fullName });
    return wait === 0;
  }

  return async (fullName, sha, what) => {
    try {
      await report(fullName, sha, what);
    } catch (error) {
      if (!failureDetails(error).refused) throw error;
      logger.warn('Reporting a refusal on GitHub failed.', {
        repository: fullName,
        error: messageOf(error),
      });
    }
  };
}

/** Whether the commit must show another text than it does. */
function mustWrite(what: string | Correction, text: string, shown: string | null | undefined): boolean {
  return typeof what === 'string' ? shown !== text : shown?.startsWith(what.insteadOf) === true;
}
