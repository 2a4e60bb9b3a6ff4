import { z } from 'zod';
import type { AccessHealth } from '../access/access-health.ts';
import type { GitHubCaller } from '../access/github-caller.ts';

/** A repository to read: its id, and its name when it was configured or last read. */
export interface NamedRepository {
  readonly id: number;
  readonly name: string;
}

/** The state of a repository, from one request. */
export interface RepositoryState {
  readonly id: number;
  /** The current name. */
  readonly fullName: string;
  /** When any branch or tag was pushed last, in milliseconds since the epoch; 0 if none was. */
  readonly pushedAt: number;
  /** All branches and tags; undefined if there are more of either than one request shows. For an annotated tag, the id of the tag object. */
  readonly refs: readonly { readonly ref: string; readonly commit: string }[] | undefined;
}

/** Reads the state of many repositories with few requests, through GitHub's GraphQL API. */
export interface RepositoryStates {
  /**
   * Reads up to fifty repositories of one account with one request. The result omits repositories that GitHub does not
   * show: they were deleted or transferred to another account, or the token has no access to them.
   */
  readRepositories(repositories: readonly NamedRepository[]): Promise<readonly RepositoryState[]>;
}

/**
 * The maximum number of repositories in one request. It is far below the limits of a query, and costs about one of
 * 5,000 points per hour.
 */
export const maxRepositories = 50;
/** The maximum number of items that GitHub shows of a list at once. */
const maxRefs = 100;

const connection = z.object({
  totalCount: z.int(),
  nodes: z.array(z.object({ name: z.string(), target: z.object({ oid: z.string() }).nullable() })),
});
const repositoryAnswer = z.object({
  databaseId: z.int(),
  nameWithOwner: z.string(),
  pushedAt: z.string().nullable(),
  heads: connection.nullable(),
  tags: connection.nullable(),
});
const repositoriesAnswer = z.record(z.string(), repositoryAnswer.nullable());

export function createRepositoryStates(
  github: GitHubCaller,
  health: AccessHealth | undefined,
): RepositoryStates {
  return {
    async readRepositories(repositories) {
      const [first] = repositories;
      if (first === undefined) return [];
      const answer = await github.call(
        {
          operation:
            repositories.length === 1 ? 'read a repository' : `read ${repositories.length} repositories`,
          repository: first.id,
          as: { contents: 'read' },
          permission: 'contents: read',
        },
        repositoriesAnswer,
        async ({ octokit }) => ({ data: await query(octokit, repositories) }),
      );
      const states = repositories.flatMap(({ id }, index) => {
        const shown = answer[`r${index}`];
        // A name may belong to another repository by now.
        return shown?.databaseId === id ? [describe(shown)] : [];
      });
      for (const { id, fullName } of states) {
        health?.succeeded(id);
        github.access.learn(fullName, id);
      }
      return states;
    },
  };
}

interface GraphQL {
  graphql(document: string, variables: Record<string, string>): Promise<unknown>;
}

/** Sends the query. GitHub reports a missing repository as an error, beside the data of the other repositories. */
async function query({ graphql }: GraphQL, repositories: readonly NamedRepository[]): Promise<unknown> {
  const variables = Object.fromEntries(
    repositories.flatMap(({ name }, index) => {
      const [owner = '', repo = ''] = name.split('/');
      return [
        [`owner${index}`, owner],
        [`name${index}`, repo],
      ];
    }),
  );
  try {
    return await graphql(documentFor(repositories.length), variables);
  } catch (error) {
    const partial = partialAnswer.safeParse(error).data;
    if (partial === undefined) throw error;
    // The limit for queries is not the limit of the REST API, and its refusal has the status 200.
    if (partial.errors.some(({ type }) => type === 'RATE_LIMITED'))
      throw Object.assign(new Error('the rate limit of queries is used up'), {
        response: { status: 403, headers: partial.headers },
      });
    if (
      partial.data === null ||
      !partial.errors.every(({ type }) => type === 'NOT_FOUND' || type === 'FORBIDDEN')
    )
      throw error;
    return partial.data;
  }
}

const partialAnswer = z.object({
  data: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? null),
  headers: z.record(z.string(), z.unknown()),
  errors: z.array(z.object({ type: z.string().optional() })).min(1),
});

/** The document of the query. It depends only on the number of repositories: their names are variables, never a part of it. */
function documentFor(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  const declared = indices.map((index) => `$owner${index}: String!, $name${index}: String!`).join(', ');
  const fields = indices.map(
    (index) => `  r${index}: repository(owner: $owner${index}, name: $name${index}) { ...state }`,
  );
  const refs = (prefix: string) =>
    `refs(refPrefix: "${prefix}", first: ${maxRefs}) { totalCount nodes { name target { oid } } }`;
  return `query RepositoryStates(${declared}) {
${fields.join('\n')}
}
fragment state on Repository {
  databaseId
  nameWithOwner
  pushedAt
  heads: ${refs('refs/heads/')}
  tags: ${refs('refs/tags/')}
}`;
}

function describe({
  databaseId,
  nameWithOwner,
  pushedAt,
  heads,
  tags,
}: z.infer<typeof repositoryAnswer>): RepositoryState {
  const lists = [
    { prefix: 'refs/heads/', list: heads },
    { prefix: 'refs/tags/', list: tags },
  ];
  // A list with a missing target is not complete and must not count as complete.
  const isComplete = lists.every(
    ({ list }) =>
      list !== null &&
      list.totalCount === list.nodes.length &&
      list.nodes.every(({ target }) => target !== null),
  );
  return {
    id: databaseId,
    fullName: nameWithOwner,
    pushedAt: pushedAt === null ? 0 : Date.parse(pushedAt),
    refs: isComplete
      ? lists.flatMap(({ prefix, list }) =>
          (list?.nodes ?? []).map(({ name, target }) => ({
            ref: `${prefix}${name}`,
            commit: target?.oid ?? '',
          })),
        )
      : undefined,
  };
}
