import { type Answer, notFound, ok, Refusal, refusalAnswer } from '../answers/answer.ts';
import { describeRepository } from '../state/describe.ts';
import type { Request } from '../answers/request.ts';
import { checkAccess, matchPath, type Route } from '../routes/route.ts';
import { checkRoutes } from '../routes/checks.ts';
import { collaboratorRoutes } from '../routes/collaborators.ts';
import { commentRoutes } from '../routes/comments.ts';
import { deploymentRoutes } from '../routes/deployments.ts';
import { gitRoutes } from '../routes/git.ts';
import { objectRoutes } from '../routes/objects.ts';
import { pullRoutes } from '../routes/pulls.ts';
import { statusRoutes } from '../routes/statuses.ts';
import { answerRepositoryStates } from '../routes/repository-states.ts';
import { answerMutation, isMutation } from '../graphql/answer-mutation.ts';
import { answerApp, type AppState, suspendedRefusal } from '../apps/app.ts';
import { answerDeliveries, type Hook, listHooks } from '../apps/hook-deliveries.ts';
import { repositoryOfPath } from '../state/find-repository.ts';
import type { State, TokenGrant } from '../state/state.ts';

const repositoryRoute: Route = {
  method: 'GET',
  path: '',
  needs: [['metadata', 'read']],
  handle: async (call) => ok(await describeRepository(call)),
};

// The more specific routes come first, because `/commits/*ref` would match every other route below `/commits`.
const routes: readonly Route[] = [
  repositoryRoute,
  ...statusRoutes,
  ...checkRoutes,
  ...pullRoutes,
  ...commentRoutes,
  ...collaboratorRoutes,
  ...deploymentRoutes,
  ...objectRoutes,
  ...gitRoutes,
];

export interface ServerContext {
  readonly state: State;
  readonly tokens: Map<string, TokenGrant>;
  readonly app: AppState | undefined;
  readonly hooks: readonly Hook[];
  readonly url: string;
  readonly apiUrl: string;
}

function grantOf(request: Request, { tokens, app }: Pick<ServerContext, 'tokens' | 'app'>): TokenGrant {
  const token = /^(?:token|bearer) (.+)$/iu.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal(401, 'Requires authentication');
  const grant = tokens.get(token);
  if (grant === undefined) throw new Refusal(401, 'Bad credentials');
  if (grant.installation !== undefined) {
    if (grant.installation !== app?.installation) throw new Refusal(401, 'Bad credentials');
    if (app.isSuspended) throw suspendedRefusal();
  }
  // Every installation token may read the repository's metadata.
  return { ...grant, permissions: { metadata: 'read', ...grant.permissions } };
}

/** An id that is always the same for one login. GitHub's real id is another number. */
function userId(login: string): number {
  return Number.parseInt(Buffer.from(login.toLowerCase()).toString('hex').slice(0, 12), 16);
}

/** Answers about a team: a team exists if it has a member. */
function answerTeam(state: State, org: string, team: string): Answer {
  const isThere = [...state.repositories.values()].some(
    ({ fullName, memberships }) =>
      fullName.split('/')[0] === org &&
      [...memberships.keys()].some((key) => key.startsWith(`${team.toLowerCase()}/`)),
  );
  if (!isThere) throw notFound();
  return ok({ id: 1, slug: team, name: team });
}

/** Answers whether a person is in a team; 404 if not. */
function answerMembership(state: State, [org = '', team = '', login = '']: string[], apiUrl: string): Answer {
  const key = `${team}/${login}`.toLowerCase();
  const membership = [...state.repositories.values()]
    .filter(({ fullName }) => fullName.split('/')[0] === org)
    .map(({ memberships }) => memberships.get(key))
    .find((entry) => entry !== undefined);
  if (membership === undefined) throw notFound();
  const url = `${apiUrl}/orgs/${org}/teams/${team}/memberships/${login}`;
  return ok({ url, role: 'member', state: membership });
}

/** Answers one request; refusals become GitHub's error bodies. */
export async function serve(request: Request, context: ServerContext): Promise<Answer> {
  const { state, hooks, url, apiUrl } = context;
  try {
    if (request.headers['user-agent'] === undefined) {
      throw new Refusal(
        403,
        'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
      );
    }
    const asApp = answerApp(request, context);
    if (asApp !== undefined) return asApp;
    if (request.path.startsWith('/app/hook/')) {
      const hook = hooks.find(({ place }) => place === 'app');
      if (hook === undefined) throw notFound();
      return await answerDeliveries(request, hook, request.path.slice('/app/hook'.length), apiUrl);
    }
    const grant = grantOf(request, context);
    if (isMutation(request)) return await answerMutation(request, { state, grant, url, apiUrl });
    if (request.path === '/graphql') return await answerRepositoryStates(request, state, grant);
    if (request.path === '/user' && request.method === 'GET') {
      // The token of a workflow or of an installation belongs to an App, which is not a user.
      if (grant.login === undefined || grant.installation !== undefined)
        throw new Refusal(403, 'Resource not accessible by integration');
      return ok({ login: grant.login, id: userId(grant.login), type: 'User' });
    }
    const ofTeam = /^\/orgs\/([^/]+)\/teams\/([^/]+)(?:\/memberships\/([^/]+))?$/u.exec(request.path);
    if (ofTeam !== null) {
      checkAccess({ needs: [['members', 'read']] }, grant);
      const [org = '', team = '', login] = ofTeam.slice(1);
      if (login === undefined) return answerTeam(state, org, team);
      return answerMembership(state, [org, team, login], apiUrl);
    }
    const { repository, rest } = repositoryOfPath(state, request.path);
    if (grant.only?.includes(repository.id) === false) throw notFound();
    const ofHook = /^\/hooks(?:\/(\d+)(\/.+))?$/u.exec(rest);
    if (ofHook !== null) {
      const needs = request.method === 'GET' ? ('read' as const) : ('write' as const);
      checkAccess({ needs: [['repository_hooks', needs]] }, grant);
      if (ofHook[1] === undefined) return listHooks(hooks, repository.fullName);
      const hook = hooks.find(({ id, place }) => String(id) === ofHook[1] && place === repository.fullName);
      if (hook === undefined) throw notFound();
      return await answerDeliveries(request, hook, ofHook[2] ?? '', apiUrl);
    }
    for (const route of routes) {
      const params = route.method === request.method ? matchPath(route.path, rest) : undefined;
      if (params === undefined) continue;
      checkAccess(route, grant);
      const { query, body } = request;
      const accept = request.headers.accept ?? '';
      return await route.handle({ state, repository, params, query, body, grant, url, apiUrl, accept });
    }
    throw notFound();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    return { status: 500, body: { message: String(error) } };
  }
}
