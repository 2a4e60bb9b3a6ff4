import { z } from 'zod';
import { type Answer, ok, Refusal } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';
import { checkAccess } from './route.ts';
import type { Repository, State, TokenGrant } from '../state/state.ts';

const asked = z.object({ query: z.string(), variables: z.record(z.string(), z.string()) });
const field = /^ {2}(r\d+): repository\(owner: \$(\w+), name: \$(\w+)\) \{ \.\.\.state \}$/gmu;
const maxRefs = 100;

/** Answers the one query that the product sends: what it needs is in `lib/github/endpoints/repository-states.ts`. Other queries are refused. */
export async function answerRepositoryStates(
  { body }: Request,
  state: State,
  grant: TokenGrant,
): Promise<Answer> {
  checkAccess({ needs: [['contents', 'read']] }, grant);
  const { query, variables } = asked.parse(body);
  const fields = [...query.matchAll(field)];
  if (!query.startsWith('query RepositoryStates(') || fields.length === 0)
    throw new Refusal(400, 'Problems parsing GraphQL');
  const data: Record<string, unknown> = {};
  const errors: object[] = [];
  for (const [, alias = '', owner = '', name = ''] of fields) {
    const fullName = `${variables[owner]}/${variables[name]}`;
    const repository = findRepository(state, fullName);
    const isShown = repository !== undefined && grant.only?.includes(repository.id) !== false;
    data[alias] = isShown ? await describe(repository) : null;
    if (!isShown) {
      const message = `Could not resolve to a Repository with the name '${fullName}'.`;
      errors.push({ type: 'NOT_FOUND', path: [alias], message });
    }
  }
  return ok({ data, ...(errors.length === 0 ? {} : { errors }) });
}

function findRepository(state: State, fullName: string): Repository | undefined {
  try {
    return state.repository(fullName);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function describe({ id, fullName, git }: Repository): Promise<object> {
  const connection = async (prefix: string) => {
    const refs = (await git.refs(prefix.slice(0, -1))).filter(({ ref }) => ref.startsWith(prefix));
    const nodes = refs
      .slice(0, maxRefs)
      .map(({ ref, sha }) => ({ name: ref.slice(prefix.length), target: { oid: sha } }));
    return { totalCount: refs.length, nodes };
  };
  return {
    databaseId: id,
    nameWithOwner: fullName,
    pushedAt: new Date().toISOString(),
    heads: await connection('refs/heads/'),
    tags: await connection('refs/tags/'),
  };
}
