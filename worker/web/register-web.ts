import type { ApiPorts } from './api/operations/api-call.ts';
import type { Telemetry } from '../promotion/context/ports.ts';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Logger } from '../../lib/core/ports/ports.ts';
import type { Canaries } from '../store/jobs/canaries.ts';
import type { Access } from './sign-in/access.ts';
import { liveness, readiness } from './http/answer-health.ts';
import { registerApi, sendUnauthorized } from './api/register-api.ts';
import { answerErrors } from './dashboard/refuse.ts';
import { registerDashboard } from './dashboard/register-dashboard.ts';
import { sendJson } from './http/send-json.ts';
import { showMetrics } from './show-metrics.ts';

export interface WebContext {
  readonly ports: ApiPorts & Pick<Telemetry, 'metrics'>;
  /** For the round trip of `/readyz`. */
  readonly redis: Redis;
  /** Who may use the API; without operators it is closed. */
  readonly access: Access;
  readonly canaries: Canaries;
  readonly logger: Logger;
  /** True once the worker stops: a load balancer must then send nothing more. */
  readonly isStopping: () => boolean;
  /** Whether GitHub lets the worker in, for each repository of worker.yaml. */
  readonly accessStates: () => readonly string[];
}

/** Registers health checks, metrics, the operators' API, sign-in and the dashboard. */
export function registerWeb(server: FastifyInstance, context: WebContext): void {
  const { ports, redis, access, canaries, logger, isStopping, accessStates } = context;
  // The parts read their own bodies.
  server.removeAllContentTypeParsers();
  answerErrors(server, logger);
  server.get('/livez', (_request, reply) => {
    const { status, body } = liveness(canaries);
    return sendJson(reply, status, body);
  });
  server.get('/readyz', async (_request, reply) => {
    const { status, body } = await readiness(redis, ports, isStopping(), accessStates());
    return sendJson(reply, status, body);
  });
  server.register(async (scope) => {
    await scope.register(cookie);
    // For a collector, which authenticates as an operator of any role with its own token.
    scope.get('/metrics', async (request, reply) => {
      if ((await access.identify(request)) === undefined) return sendUnauthorized(reply);
      reply.type(ports.metrics.registry.contentType).header('cache-control', 'no-store');
      return reply.header('x-content-type-options', 'nosniff').send(await showMetrics(ports, canaries));
    });
    scope.register(async (api) => registerApi(api, { access, ports }), { prefix: '/api' });
    scope.register(async (dashboard) => registerDashboard(dashboard, { ports, access, logger }));
  });
}
