import type { Via } from '../../records/audit-entry.ts';
import { hasRole, type Operator } from '../../operators/operator.ts';
import type { Engine } from '../../promotion/engine.ts';
import { type ApiAnswer, forbidden, unavailable, unknown } from './answers.ts';
import { mayAccess } from './may-access.ts';
import { routes } from './routes.ts';

export interface ApiRequest {
  readonly method: string;
  /** Path after `/api/`, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Default: the API itself. */
  readonly via?: Via;
  /** Whether the caller has disconnected. */
  readonly isDisconnected?: () => boolean;
}

/**
 * The operators' API; `routes.ts` lists it. A lane's id contains slashes and is percent-encoded. A route that
 * is not listed does not exist; a listed one requires a role, and for a lane or promotion access to its
 * repository.
 */
export async function answerApi(request: ApiRequest, operator: Operator, engine: Engine): Promise<ApiAnswer> {
  const { query, body } = request;
  const parts = request.path.split('/').map((part) => decode(part));
  if (parts.includes(undefined)) return unknown();
  const [kind, id = '', act] = parts;
  const pattern = [kind, ...(parts.length > 1 ? ['*'] : []), ...(parts.length > 2 ? [act] : [])].join('/');
  const route = routes.find((one) => one.method === request.method && one.path === pattern);
  if (route === undefined || parts.length > 3) return unknown();
  if (!hasRole(operator, route.role)) return forbidden(`${operator.name} lacks the role ${route.role}`);
  if (!(await mayAccess(route.about, id, operator, engine))) return unknown();
  // Redis was away for longer than the caller waited: the caller saw a failure, so nothing may happen.
  if (request.isDisconnected?.() === true) return unavailable();
  return route.answer({
    operator,
    engine,
    id,
    query,
    body,
    isDisconnected: request.isDisconnected,
    via: request.via ?? 'api',
  });
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
