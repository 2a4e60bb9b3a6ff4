import { randomBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { type Answer, created, notFound, ok, Refusal } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';
import { repositoryOfPath } from '../state/find-repository.ts';
import type { State, TokenGrant } from '../state/state.ts';

/** A GitHub App and its one installation. */
export interface AppSetting {
  readonly id: number;
  /** PEM. */
  readonly publicKey: string;
  readonly installation: number;
  readonly permissions: TokenGrant['permissions'];
}

/** The current state of the App: what its owner, and the owner of the repositories, can change. */
export interface AppState {
  readonly id: number;
  /** As PEM; changes when the key is replaced. */
  publicKey: string;
  /**
   * The id of the installation; undefined if the App is not installed. A new id means that the App was removed and installed
   * again, or that the repository was transferred.
   */
  installation: number | undefined;
  isSuspended: boolean;
  /** The permissions of tokens that are created from now on. */
  permissions: TokenGrant['permissions'];
  events: readonly string[];
}

/** GitHub's refusal for a suspended installation, also for tokens that it issued before. */
export const suspendedRefusal = (): Refusal => new Refusal(403, 'This installation has been suspended');

const tokenRequest = z
  .object({
    repository_ids: z.array(z.int()).optional(),
    repositories: z.array(z.string()).optional(),
    permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  })
  .optional();

const claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() });

/** GitHub's own checks of a JSON Web Token: RS256, issued by the App, for ten minutes at most. */
function checkJwt(request: Request, app: AppState): void {
  const token = /^bearer (.+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [head = '', body = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  const { iss, iat, exp } = claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
  if (String(iss) !== String(app.id)) throw new Refusal(404, 'Integration not found');
  const good = verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'));
  if (!good) throw new Refusal(401, 'A JSON web token could not be decoded');
  const now = Date.now() / 1000;
  if (exp < now)
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp - now > 600) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  if (iat > now)
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
}

const slug = 'millrace-test';

function describeApp(app: AppState, state: State): object {
  return {
    id: app.id,
    slug,
    node_id: 'A_1',
    owner: { login: 'example' },
    name: 'Millrace test',
    description: null,
    external_url: 'https://worker.example.com',
    html_url: 'https://github.example.com/apps/millrace-test',
    created_at: state.now(),
    updated_at: state.now(),
    permissions: app.permissions,
    events: app.events,
  };
}

/**
 * Answers requests that only an App may send: where it is installed, and a token for its installation. Undefined
 * for any other request.
 */
export function answerApp(
  request: Request,
  { app, state, tokens }: { app: AppState | undefined; state: State; tokens: Map<string, TokenGrant> },
): Answer | undefined {
  const { method, path } = request;
  const installation = path.endsWith('/installation') && method === 'GET';
  const tokenPath = /^\/app\/installations\/(\d+)\/access_tokens$/u.exec(path);
  if (!installation && !path.startsWith('/app')) return undefined;
  if (app === undefined) throw new Refusal(401, 'A JSON web token could not be decoded');
  checkJwt(request, app);
  if (path === '/app' && method === 'GET') return ok(describeApp(app, state));
  if (installation) {
    if (repositoryOfPath(state, path).rest !== '/installation') throw notFound();
    if (app.installation === undefined) throw notFound();
    return ok({
      id: app.installation,
      app_id: app.id,
      permissions: app.permissions,
      events: app.events,
      suspended_at: app.isSuspended ? state.now() : null,
    });
  }
  if (method !== 'POST' || tokenPath === null) return undefined;
  if (tokenPath[1] !== String(app.installation)) throw notFound();
  if (app.isSuspended) throw suspendedRefusal();
  const requested = tokenRequest.parse(request.body) ?? {};
  const only = [
    ...(requested.repository_ids ?? []),
    ...(requested.repositories ?? []).flatMap((name) =>
      [...state.repositories.values()]
        .filter((repository) => repository.fullName.endsWith(`/${name}`))
        .map(({ id }) => id),
    ),
  ];
  const permissions = requested.permissions ?? app.permissions;
  for (const [name, access] of Object.entries(permissions)) {
    const has = Object.entries(app.permissions).find(([other]) => other === name)?.[1];
    if (has !== 'write' && has !== access)
      throw new Refusal(422, 'The permissions requested are not granted to this installation.');
  }
  const token = `ghs_${randomBytes(18).toString('hex')}`;
  tokens.set(token, {
    login: `${slug}[bot]`,
    permissions,
    installation: app.installation,
    ...(only.length === 0 ? {} : { only }),
  });
  return created({
    token,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    permissions,
    repository_selection: only.length === 0 ? 'all' : 'selected',
  });
}
