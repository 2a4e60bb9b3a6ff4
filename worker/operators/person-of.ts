import type { OperatorEntry } from '../../lib/config/worker/operator-schema.ts';

/**
 * The same key for one person, whether given as an operator or by a GitHub login: the operator's name, else the
 * login. GitHub's logins ignore case.
 */
export function personOf(operators: readonly Pick<OperatorEntry, 'name' | 'github'>[], name: string): string {
  const lowerName = name.toLowerCase();
  const match =
    operators.find((operator) => operator.github?.toLowerCase() === lowerName) ??
    operators.find((operator) => operator.name.toLowerCase() === lowerName);
  return (match?.name ?? name).toLowerCase();
}

/**
 * The person with a GitHub login. If the operator has named another login, the operator's own name says nothing
 * about who has that login on GitHub: then it is another person.
 */
export function personOfLogin(
  operators: readonly Pick<OperatorEntry, 'name' | 'github'>[],
  login: string,
): string {
  const lowerLogin = login.toLowerCase();
  const match = operators.find(({ name, github = name }) => github.toLowerCase() === lowerLogin);
  if (match !== undefined) return match.name.toLowerCase();
  return operators.some(({ name }) => name.toLowerCase() === lowerLogin)
    ? `github:${lowerLogin}`
    : lowerLogin;
}
