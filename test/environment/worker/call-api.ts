import fastify from 'fastify';
import type { ApiAnswer } from '../../../worker/web/api/operations/answers.ts';
import { registerApi } from '../../../worker/web/api/register-api.ts';
import type { Access } from '../../../worker/web/sign-in/access.ts';
import type { Operator } from '../../../worker/operators/operator.ts';
import type { WorkerPorts } from '../../../worker/app/open-ports.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path after `/api/`, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** Calls the routes of the operators' API as an operator, without a socket. Rejects with what a route throws. */
export async function callApi(
  { method, path, body }: ApiRequest,
  operator: Operator,
  ports: WorkerPorts,
): Promise<ApiAnswer> {
  await using server = fastify();
  const thrown: unknown[] = [];
  server.setErrorHandler((error, _request, reply) => {
    thrown.push(error);
    return reply.code(500).send();
  });
  const access: Access = {
    directory: { isOpen: true, identify: () => operator, markOf: () => undefined, byMark: () => undefined },
    sessions: {
      open: async () => undefined,
      openFor: async () => undefined,
      find: async () => undefined,
      close: async () => undefined,
    },
    signIn: () => undefined,
    isOpen: () => true,
    identify: async () => operator,
  };
  await server.register(async (api) => registerApi(api, { access, ports }), { prefix: '/api' });
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await server.inject({ method, url: `/api/${path}`, ...payload });
  if (thrown.length > 0) throw thrown[0];
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
}
