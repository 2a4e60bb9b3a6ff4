import type { OperatorEntry } from '../../lib/config/worker/operator-schema.ts';

/**
 * The key of a person who is named as an operator or by a GitHub login, in lower case: the name of the operator who has
 * this name or this login, or else the login. GitHub's logins ignore case.
 */
export function personOf(operators: readonly Pick<OperatorEntry, 'name' | 'github'>[], name: string): string {
  const lowerName = name.toLowerCase();
  const match =
    operators.find((operator) => operator.github?.toLowerCase() === lowerName) ??
    operators.find((operator) => operator.name.toLowerCase() === lowerName);
  return (match?.name ?? name).toLowerCase();
}

/**
 * The key of the person who has this GitHub login. An operator whose name equals the login, but whose `github` is a
 * different login, is someone else; the key is then `github:<login>`.
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
