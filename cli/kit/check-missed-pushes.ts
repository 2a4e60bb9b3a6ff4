import { type Check, check } from '../../flows/doctor/doctor.ts';
import type { WorkerConfig } from '../../lib/config/read-worker-config.ts';
import type { RecoverySource } from '../../worker/intake/sweep/find-recovery-source.ts';
import { readGitHubAccess } from './github-access.ts';
import type { Session } from './session.ts';
import { secretReader } from './worker-file.ts';

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
      access: await readGitHubAccess(config.github, environment, secretReader(session)),
      clock: session.io.clock,
    });
  const checks: Check[] = [];
  for (const { id, name } of config.repositories) {
    let source: RecoverySource | undefined;
    const result = await check(`missed pushes of ${name}`, async () => {
      const github = await open();
      await github.repository(id);
      source = await findRecoverySource(id, github, { url: config.url });
      return `found ${descriptions[source.kind]}`;
    });
    checks.push(source?.kind === 'heads' ? { ...result, hint: hints[source.reason] } : result);
  }
  return checks;
}
