import { hasRole } from '../../operators/operator.ts';
import { NewerFormat } from '../../store/scripts/newer-format.ts';
import { type ApiAnswer, forbidden, leftToNewer, unavailable, unknown } from './operations/answers.ts';
import type { ApiCall, ApiPorts } from './operations/api-call.ts';
import { mayAccess } from './may-access.ts';
import type { Route } from './routes.ts';

/**
 * Answers a call of the operators' API, from the API or from the dashboard: a route requires a role and, for a
 * lane or promotion, access to its repository.
 */
export async function answerRoute(route: Route, call: ApiCall<ApiPorts>): Promise<ApiAnswer> {
  const { operator, ports, id } = call;
  if (!hasRole(operator, route.role)) return forbidden(`${operator.name} lacks the role ${route.role}`);
  if (!(await mayAccess(route.about, id, operator, ports))) return unknown();
  if (route.method === 'POST') await ports.store.waitForRedis();
  // Redis was away for longer than the caller waited: the caller saw a failure, so nothing may happen.
  if (call.isDisconnected?.() === true) return unavailable();
  if (route.method !== 'GET' && ports.format.newer !== undefined) return leftToNewer();
  const { words } = ports;
  const before = words.counts;
  try {
    const answer = await route.answer(call);
    if (words.counts.recorded === before.recorded) return answer;
    const durable = await ports.areWordsKept(before);
    return { ...answer, body: { ...Object(answer.body), durable } };
  } catch (error) {
    if (error instanceof NewerFormat) return leftToNewer();
    throw error;
  }
}
