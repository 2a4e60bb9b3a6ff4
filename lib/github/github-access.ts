/** A repository by GitHub's id of it, or by its name where only that is known. */
export type RepositoryKey = number | string;

/** How the worker shows GitHub who it is. */
export interface GitHubAccess {
  readonly kind: 'token' | 'app';
  /** A token for calls about one repository. `refused`: GitHub did not take the one before, so a new one is needed. */
  tokenFor(repository: RepositoryKey, refused?: boolean): Promise<string>;
  /** Whose allowance of writes such calls use up; a name, never a secret. */
  accountOf(repository: RepositoryKey): Promise<string>;
  /** A token for calls about the App itself; undefined where there is no App. */
  appToken(): Promise<string | undefined>;
  /** Tells which repository has a name now. */
  learn(fullName: string, id: number): void;
}

/** One token for everything, read anew for each call so that it may be replaced. */
export function tokenAccess(token: () => string | Promise<string>): GitHubAccess {
  return {
    kind: 'token',
    tokenFor: async () => token(),
    accountOf: async () => 'token',
    appToken: async () => undefined,
    learn: () => undefined,
  };
}
