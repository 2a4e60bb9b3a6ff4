import { type Check, check } from '../../flows/doctor/doctor.ts';
import type { WorkerConfig } from '../../lib/config/read-worker-config.ts';
import type { RecoverySource } from '../../worker/intake/sweep/find-recovery-source.ts';
import { readGitHubAccess } from './github-access.ts';
import type { Session } from './session.ts';
import { secretReader } from './worker-file.ts';

const said = {
  'app-deliveries': 'by the deliveries of the GitHub App, which are asked for again (app-deliveries)',
  'hook-deliveries':
    'by the deliveries of the repository’s webhook, which are asked for again (hook-deliveries)',
  heads:
    'by comparing where branches and tags stand (heads): of several pushes to one branch the last is seen, of comments none',
} as const;

const hints = {
  'no-rights':
    'Nothing, if that is enough; else give the token the right to webhooks (write), or let the worker be a GitHub App (docs/worker-github.md).',
  'no-hook':
    'Make a webhook of the repository for pushes and comments that points to <address of the worker>/webhooks/github; `url` in worker.yaml is that address.',
} as const;

/** How the worker would find pushes that GitHub did not deliver, for each repository of `worker.yaml`; only reads. */
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
    const looked = await check(`missed pushes of ${name}`, async () => {
      const github = await open();
      await github.repository(id);
      source = await findRecoverySource(id, github, config.url);
      return `found ${said[source.kind]}`;
    });
    checks.push(source?.kind === 'heads' ? { ...looked, hint: hints[source.why] } : looked);
  }
  return checks;
}
