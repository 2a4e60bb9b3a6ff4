import { type Check, check } from '../../flows/doctor/doctor.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import type { RecoverySource } from '../../worker/intake/sweep/sweep-state.ts';
import { readGitHubAccess } from '../worker/github-access.ts';
import type { Session } from '../kit/session.ts';
import { secretReader } from '../worker/worker-file.ts';

const descriptions = {
  'app-deliveries': 'through redelivery by the GitHub App (app-deliveries)',
  'hook-deliveries': 'through redelivery by the webhook of the repository (hook-deliveries)',
  heads:
    'by comparing the heads of branches and tags (heads); finds only the last of several pushes to a branch, and no comments',
} as const;

const hints = {
  'no-rights':
    'If this is not enough, give the token write permission for webhooks, or run the worker as a GitHub App (docs/worker-github.md).',
  'no-hook':
    'Create a webhook in the repository for pushes and comments, with the address <address of the worker>/webhooks/github. Set `url` in worker.yaml to the address of the worker.',
} as const;

/** Checks for each repository of `worker.yaml` how the worker would find pushes that GitHub did not deliver. Reads only. */
export async function checkMissedPushes(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  const { createGitHubPort } = await import('../../lib/github/create-github-port.ts');
  const { findRecoverySource } = await import('../../worker/intake/sweep/find-recovery-source.ts');
  const { github: environment } = session.settings;
  const open = async () =>
    createGitHubPort({
      apiUrl: config.github.apiUrl ?? environment.apiUrl,
      access: await readGitHubAccess(
        config.github,
        environment,
        secretReader(session),
        proxyOf(session.io.env),
      ),
      proxy: proxyOf(session.io.env),
      clock: session.io.clock,
    });
  const checks: Check[] = [];
  const sources: RecoverySource[] = [];
  for (const { id, name } of config.repositories) {
    let source: RecoverySource | undefined;
    const result = await check(`missed pushes of ${name}`, async () => {
      const github = await open();
      await github.repository(id);
      source = await findRecoverySource(id, github, { url: config.url });
      return `found ${descriptions[source.kind]}`;
    });
    if (source !== undefined) sources.push(source);
    checks.push(source?.kind === 'heads' ? { ...result, hint: hints[source.reason] } : result);
  }
  return [...checks, ...(await checkRequests(sources))];
}

/** What GitHub allows a token in an hour; an App has at least as many. */
const allowedPerHour = 5_000;

/** How many requests the search for missed pushes needs; nothing for a few repositories. */
async function checkRequests(sources: readonly RecoverySource[]): Promise<readonly Check[]> {
  if (sources.length < 20) return [];
  const { requestsPerHour } = await import('../../worker/intake/sweep/pace.ts');
  const { defaultSettings } = await import('../../worker/settings/settings.ts');
  const withWebhook = sources.filter(({ kind }) => kind === 'hook-deliveries').length;
  const needed = requestsPerHour(
    { withWebhook, others: sources.length - withWebhook },
    defaultSettings.sweepMs,
  );
  const message = `the search for missed pushes in ${sources.length} repositories sends about ${needed} requests an hour; GitHub allows ${allowedPerHour}, and the search uses at most half of them`;
  return [await check('requests to GitHub', async () => message)];
}
