import { isTeam } from '../../lib/config/worker/operator-schema.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { teamRepository } from '../../lib/config/worker/team-repository.ts';
import { type Check, check } from '../../flows/doctor/doctor.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { readGitHubAccess } from '../worker/github-access.ts';
import type { Session } from '../kit/session.ts';
import { secretReader } from '../worker/worker-file.ts';

/** Checks whether the worker's access to GitHub sees the teams of `worker.yaml`. Reads only. */
export async function checkTeams(config: WorkerConfig, session: Session): Promise<readonly Check[]> {
  const { github: environment } = session.settings;
  const checks: Check[] = [];
  for (const [team, repositoryId] of teamsOf(config)) {
    checks.push(
      await check(`team ${team}`, async () => {
        const { createGitHubPort } = await import('../../lib/github/create-github-port.ts');
        const github = createGitHubPort({
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
        const { fullName } = await github.repository(repositoryId);
        if (await github.people.seesTeam(fullName, team)) return 'its members can be read';
        throw new Failure('config-invalid', {
          message: `The worker cannot see the team ${team} on GitHub. Until it can, the members of that team cannot approve and have no role.`,
          hint: 'Check how worker.yaml spells the team, and give the worker’s token or App the permission "members: read" in that organization.',
        });
      }),
    );
  }
  return checks;
}

/** The teams, each with the repository with whose access GitHub is asked about it. */
function teamsOf({ operators, repositories }: WorkerConfig): ReadonlyMap<string, number> {
  return new Map([
    ...repositories.flatMap(({ id, approvers }) =>
      approvers.filter(isTeam).map((team) => [team, id] as const),
    ),
    ...operators
      .map(({ name }) => name)
      .filter(isTeam)
      .map((team) => [team, teamRepository(team, repositories)] as const),
  ]);
}
