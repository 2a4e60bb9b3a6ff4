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
  /** Whether nobody waits for the answer any more. */
  readonly isDisconnected?: () => boolean;
}

/**
 * The operators' API; `routes.ts` lists it. A lane's id holds slashes and is percent-encoded. What is not in the list
 * is not there; what is asks for a role, and for a lane or run of a repository that the operator may touch.
 */
export async function answerApi(request: ApiRequest, operator: Operator, engine: Engine): Promise<ApiAnswer> {
  const { query, body } = request;
  const parts = request.path.split('/').map((part) => decode(part));
  if (parts.includes(undefined)) return unknown();
  const [kind, id = '', act] = parts;
  const pattern = [kind, ...(parts.length > 1 ? ['*'] : []), ...(parts.length > 2 ? [act] : [])].join('/');
  const route = routes.find((one) => one.method === request.method && one.path === pattern);
  if (route === undefined || parts.length > 3) return unknown();
  if (!hasRole(operator, route.role)) return forbidden(`${operator.name} is no ${route.role}`);
  if (!(await mayAccess(route.about, id, operator, engine))) return unknown();
  // Redis was away for longer than they waited: they were told that it failed, and must find it so.
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
