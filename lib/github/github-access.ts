/** A repository by its GitHub id, or by its name where only the name is known. */
export type RepositoryKey = number | string;

/** How calls authenticate at GitHub. */
export interface GitHubAccess {
  readonly kind: 'token' | 'app';
  /**
   * A token for calls about one repository. `refused`: the token that GitHub refused, so that a new one is needed.
   */
  tokenFor(repository: RepositoryKey, refused?: boolean): Promise<string>;
  /** The account whose rate limit such calls use; a name, never a secret. */
  accountOf(repository: RepositoryKey): Promise<string>;
  /** A token for calls about the App itself; undefined where there is no App. */
  appToken(): Promise<string | undefined>;
  /** Records the current id of a repository's name. */
  learn(fullName: string, id: number): void;
}

/** One token for all calls, read again for each call so that it can be replaced. */
export function tokenAccess(token: () => string | Promise<string>): GitHubAccess {
  return {
    kind: 'token',
    tokenFor: async () => token(),
    accountOf: async () => 'token',
    appToken: async () => undefined,
    learn: () => undefined,
  };
}
