import type { GitHubPerson } from '../../lib/github/access/user-authorization.ts';
import { type OperatorRole, operatorRoles } from '../../lib/config/worker/operator-schema.ts';

/** The person or program that makes a request. */
export interface Operator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly repositories: 'all' | readonly number[];
  /** Who signed in with GitHub; `name` is then the login. */
  readonly github?: GitHubPerson;
}

/** Whether an operator has a role or a higher one. */
export function hasRole({ role }: Operator, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

export function mayTouch({ repositories }: Operator, repositoryId: number): boolean {
  return repositories === 'all' || repositories.includes(repositoryId);
}
