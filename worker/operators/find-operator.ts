import {
  isTeam,
  type OperatorEntry,
  workerName,
  workerTokenName,
} from '../../lib/config/worker/operator-schema.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { teamRepository } from '../../lib/config/worker/team-repository.ts';
import type { GitHubPerson } from '../../lib/github/access/user-authorization.ts';
import { findTeam, type TeamReader } from './find-team.ts';
import type { Operator } from './operator.ts';

export type FoundOperator =
  /** `team`: the role comes from it. */
  | { readonly status: 'found'; readonly operator: Operator; readonly team?: string }
  | { readonly status: 'none' }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'unknown'; readonly reason: string };

type Rules = Pick<WorkerConfig, 'operators' | 'repositories'>;

/**
 * The operator that a person on GitHub is according to worker.yaml: by login, otherwise by the first listed team
 * that the person is in. The name of an entry without `github` does not count as a login, because another person
 * may have that login on GitHub.
 */
export async function findOperator(
  person: GitHubPerson,
  { operators, repositories }: Rules,
  github: TeamReader,
): Promise<FoundOperator> {
  if (isReserved(person)) return { status: 'none' };
  const byLogin = operatorByLogin(person, operators);
  if (byLogin !== undefined) return { status: 'found', operator: byLogin };
  const teams = operators
    .filter(({ name }) => isTeam(name))
    .map(({ name }) => ({ name, repositoryId: teamRepository(name, repositories) }));
  const team = await findTeam(person.login, teams, github);
  if (team.status !== 'found') return team;
  const operator = operatorByTeam(person, team.name, operators);
  return operator === undefined ? { status: 'none' } : { status: 'found', operator, team: team.name };
}

/** The operator of worker.yaml with this GitHub login. */
export function operatorByLogin(
  person: GitHubPerson,
  operators: readonly OperatorEntry[],
): Operator | undefined {
  if (isReserved(person)) return undefined;
  const login = person.login.toLowerCase();
  return operatorOf(
    person,
    operators.find(({ github }) => github?.toLowerCase() === login),
  );
}

/** The operator that a member of a team is, as long as worker.yaml lists the team. */
export function operatorByTeam(
  person: GitHubPerson,
  team: string,
  operators: readonly OperatorEntry[],
): Operator | undefined {
  return operatorOf(
    person,
    operators.find(({ name }) => isTeam(name) && name === team),
  );
}

function operatorOf(person: GitHubPerson, entry: OperatorEntry | undefined): Operator | undefined {
  if (entry === undefined) return undefined;
  const { role, repositories } = entry;
  return { name: person.login, role, repositories, github: person };
}

/** In the audit, these names mean the worker itself. */
function isReserved({ login }: GitHubPerson): boolean {
  return [workerName, workerTokenName].includes(login.toLowerCase());
}
