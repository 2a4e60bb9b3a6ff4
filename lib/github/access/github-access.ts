/** A repository by its GitHub id, or by its name if only the name is known. */
export type RepositoryKey = number | string;

/** The permissions of an installation of an App. */
export interface InstallationFacts {
  readonly id: number;
  /** Access by permission: `checks`: `write`. */
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly isSuspended: boolean;
}

/** GitHub's facts about an App. */
export interface AppFacts extends Pick<InstallationFacts, 'id' | 'permissions' | 'events'> {
  readonly name: string;
  /** Milliseconds by which the clock of this host is ahead of GitHub's; 0 if they agree. */
  readonly aheadMs: number;
}

/** The permissions of a token for all repositories of an account. */
export type AccountPermissions = Readonly<
  Partial<Record<'contents' | 'checks' | 'deployments', 'read' | 'write'>>
>;

/** How calls authenticate at GitHub. */
export interface GitHubAccess {
  readonly kind: 'token' | 'app';
  /**
   * A token for calls about one repository. `refused`: the token that GitHub refused, so that a new one is needed.
   */
  tokenFor(repository: RepositoryKey, refused?: boolean): Promise<string>;
  /** A token for all repositories of the account to which one of them belongs, with no other permissions than these. */
  accountTokenFor(
    repository: RepositoryKey,
    permissions: AccountPermissions,
    refused?: boolean,
  ): Promise<string>;
  /** The account whose rate limit such calls use; a name, never a secret. */
  accountOf(repository: RepositoryKey): Promise<string>;
  /** A token for calls about the App itself; undefined if there is no App. */
  appToken(): Promise<string | undefined>;
  /** The App, as GitHub knows it; undefined if there is none. */
  app(): Promise<AppFacts | undefined>;
  /** The App's installation on a repository, read again; undefined if there is no App. */
  installation(repository: RepositoryKey): Promise<InstallationFacts | undefined>;
  /** Whether the repository has another installation than before; at most one look-up in a minute. */
  hasMoved(repository: RepositoryKey): Promise<boolean>;
  /** The id of a repository whose name is known, otherwise what is given. */
  keyOf(repository: RepositoryKey): RepositoryKey;
  /** Records the current id of a repository's name. */
  learn(fullName: string, id: number): void;
}

/** One token for all calls, read again for each call so that it can be replaced. */
export function tokenAccess(token: () => string | Promise<string>): GitHubAccess {
  const ids = new Map<string, number>();
  return {
    kind: 'token',
    tokenFor: async () => token(),
    accountTokenFor: async () => token(),
    accountOf: async () => 'token',
    appToken: async () => undefined,
    app: async () => undefined,
    installation: async () => undefined,
    hasMoved: async () => false,
    keyOf: (repository) =>
      typeof repository === 'string' ? (ids.get(repository.toLowerCase()) ?? repository) : repository,
    learn: (fullName, id) => void ids.set(fullName.toLowerCase(), id),
  };
}
