import { randomBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { type Answer, created, notFound, ok, Refusal } from './answer.ts';
import type { Request } from './request.ts';
import type { State, TokenGrant } from './state.ts';

/** A GitHub App and its one installation. */
export interface AppSetting {
  readonly id: number;
  /** PEM. */
  readonly publicKey: string;
  readonly installation: number;
  readonly permissions: TokenGrant['permissions'];
}

const tokenRequest = z
  .object({ repository_ids: z.array(z.int()).optional(), repositories: z.array(z.string()).optional() })
  .optional();

const claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() });

/** GitHub's own checks of a JSON Web Token: RS256, issued by the App, for ten minutes at most. */
function checkJwt(request: Request, app: AppSetting): void {
  const token = /^bearer (.+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [head = '', body = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  const good = verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'));
  if (!good) throw new Refusal(401, 'A JSON web token could not be decoded');
  const { iss, iat, exp } = claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
  const now = Date.now() / 1000;
  if (String(iss) !== String(app.id)) throw new Refusal(404, 'Integration not found');
  if (exp < now || exp - now > 600)
    throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  if (iat > now + 60)
    throw new Refusal(401, "'Issued at' claim ('iat') must be an Integer representing the time");
}

function repositoryNamed(state: State, path: string): { id: number; fullName: string } {
  const byId = /^\/repositories\/(\d+)\/installation$/u.exec(path)?.[1];
  if (byId === undefined)
    return state.repository(path.replace(/^\/repos\//u, '').replace(/\/installation$/u, ''));
  const found = [...state.repositories.values()].find(({ id }) => String(id) === byId);
  if (found === undefined) throw notFound();
  return found;
}

/**
 * Answers what only an App may ask: where it is installed, and a token for its installation. Undefined where the
 * request is about something else.
 */
export function answerApp(
  request: Request,
  { app, state, tokens }: { app: AppSetting | undefined; state: State; tokens: Map<string, TokenGrant> },
): Answer | undefined {
  const { method, path } = request;
  const installation = path.endsWith('/installation') && method === 'GET';
  const tokenPath = /^\/app\/installations\/(\d+)\/access_tokens$/u.exec(path);
  if (!installation && !path.startsWith('/app')) return undefined;
  if (app === undefined) throw new Refusal(401, 'A JSON web token could not be decoded');
  checkJwt(request, app);
  if (installation) {
    repositoryNamed(state, path);
    return ok({ id: app.installation, app_id: app.id, permissions: app.permissions });
  }
  if (method !== 'POST' || tokenPath === null) return undefined;
  if (tokenPath[1] !== String(app.installation)) throw notFound();
  const wanted = tokenRequest.parse(request.body) ?? {};
  const only = [
    ...(wanted.repository_ids ?? []),
    ...(wanted.repositories ?? []).flatMap((name) =>
      [...state.repositories.values()].filter((one) => one.fullName.endsWith(`/${name}`)).map(({ id }) => id),
    ),
  ];
  const token = `ghs_${randomBytes(18).toString('hex')}`;
  tokens.set(token, { permissions: app.permissions, ...(only.length === 0 ? {} : { only }) });
  return created({
    token,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    permissions: app.permissions,
    repository_selection: only.length === 0 ? 'all' : 'selected',
  });
}
