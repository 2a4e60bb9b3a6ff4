import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { isTeam } from '../../lib/config/worker/operator-schema.ts';
import { type Check, check } from '../../flows/doctor/doctor.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { failureDetails } from '../../lib/github/access/failure-details.ts';
import type { AppFacts, GitHubAccess } from '../../lib/github/access/github-access.ts';
import { readGitHubAccess } from './github-access.ts';
import type { Session } from '../kit/session.ts';
import { secretReader } from './worker-file.ts';

/** A smaller difference between the clocks needs no mention. */
const maxClockDifferenceMs = 30_000;

/** Events without which the worker learns of nothing, or only by its sweeps. */
const neededEvents = ({ github }: Pick<WorkerConfig, 'github'>): readonly string[] =>
  github.answerComments ? ['push', 'issue_comment'] : ['push'];

/**
 * Checks before the start of the worker that the App's id and key belong together. If GitHub does not answer, the
 * worker starts anyway. Throws Failure 'config-invalid'.
 */
export async function validateApp(access: GitHubAccess, logger: Logger): Promise<void> {
  try {
    await access.app();
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof Failure) || failureDetails(error).cause !== 'key') {
      logger.warn('The worker could not ask GitHub about the App, and starts anyway.', { error: message });
      return;
    }
    throw new Failure('config-invalid', {
      message: `GitHub does not accept the id and the key of the GitHub App: ${message}`,
      hint: error.hint,
      cause: error,
    });
  }
}

/**
 * Checks the worker's GitHub App and its permissions on each repository of `worker.yaml`. Reads only. Checks
 * nothing if the worker uses a token.
 */
export async function checkGitHubApp(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  let access: GitHubAccess | undefined;
  const opened = await check('GitHub App', async () => {
    access = await readGitHubAccess(
      config.github,
      session.settings.github,
      secretReader(session),
      proxyOf(session.io.env),
    );
    const app = await access.app();
    return app === undefined ? '' : describeApp(app, neededEvents(config));
  });
  if (access?.kind !== 'app') return [];
  const { installation } = access;
  const checks = [opened];
  const hasTeams = config.operators.some(({ name }) => isTeam(name));
  for (const { id, name, approvers } of opened.ok ? config.repositories : []) {
    checks.push(
      await check(`permissions of the GitHub App on ${name}`, async () => {
        const installed = await installation(id);
        if (installed?.isSuspended === true) throw suspended(name);
        const comments = config.github.answerComments ? 'write' : 'read';
        return describePermissions(installed?.permissions ?? {}, {
          ...(approvers.length > 0 ? { pull_requests: comments } : {}),
          ...(hasTeams || approvers.some(isTeam) ? { members: 'read' } : {}),
        });
      }),
    );
  }
  return checks;
}

function describeApp({ name, id, events, aheadMs }: AppFacts, needed: readonly string[]): string {
  const missing = needed.filter((event) => !events.includes(event));
  if (missing.length > 0)
    throw new Failure('config-invalid', {
      message: `The GitHub App ${name} (${id}) does not receive these events: ${missing.join(', ')}.`,
      hint: 'Select these events in the settings of the App ("Permissions & events").',
    });
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const clock =
    Math.abs(aheadMs) <= maxClockDifferenceMs
      ? ''
      : `; the clock of this host is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} GitHub’s: set it by NTP`;
  return `${name} (${id})${clock}`;
}

function describePermissions(
  permissions: Readonly<Record<string, string>>,
  others: Readonly<Partial<Record<'pull_requests' | 'members', 'read' | 'write'>>>,
): string {
  const needed = Object.entries({ contents: 'read', checks: 'write', deployments: 'write', ...others });
  const missing = needed.filter(
    ([name, access]) => permissions[name] !== 'write' && permissions[name] !== access,
  );
  if (missing.length === 0) return 'has all permissions that the worker uses';
  const names = missing.map(([name, access]) => `${name.replace('_', ' ')}: ${access}`).join(', ');
  throw new Failure('config-invalid', {
    message: `The GitHub App lacks these permissions: ${names}.`,
    hint: 'Give the App the permissions in its settings ("Permissions & events"). Then the owner of the repository accepts them for the installation (docs/worker-github.md).',
  });
}

function suspended(name: string): Failure {
  return new Failure('config-invalid', {
    message: `The installation of the GitHub App on ${name} is suspended, so GitHub refuses every request of the worker.`,
    hint: 'The owner of the repository unsuspends it in the settings of the organization or account (GitHub Apps, Configure).',
  });
}
