import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { asOperation, type OperationId, operations } from '../../lib/contract/operations.ts';
import type { Call } from '../operations/handler.ts';
import { handlers } from '../operations/handlers.ts';
import { requireLevel } from '../operations/needed-levels.ts';
import { receiveUpload } from '../upload/receive-upload.ts';
import type { World } from '../world/world.ts';
import { authenticate, type Caller, requireRole } from '../world/caller.ts';
import { findProject, type Project } from '../world/project.ts';
import { type RequestReader, requestReader } from './read-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, at the routes of the contract. */
    admitted: Admitted | undefined;
  }
}

/** A handler without the types of its operation; `readRequest` has validated them. */
type AnyHandler = (call: Call, world: World) => unknown;

/** Registers one route for each operation of the contract (spec §4). */
export async function registerOperations(
  server: FastifyInstance,
  world: World,
  checkAnswers: boolean,
): Promise<void> {
  server.decorateRequest('admitted');
  const rows = operations.map(asOperation);
  const isUpload = ({ body }: Operation) => body.kind === 'multipart';
  for (const row of rows) if (!isUpload(row)) registerOperation(server, row, world, checkAnswers);
  // In a scope of its own, because the plugin adds hooks to every request.
  await server.register(async (scope) => {
    await scope.register(multipart);
    for (const row of rows) if (isUpload(row)) registerOperation(scope, row, world, checkAnswers);
  });
}

function registerOperation(server: FastifyInstance, row: Operation, world: World, checkAnswers: boolean) {
  const handle = handlers[row.id as OperationId] as AnyHandler;
  const read = requestReader(row, world.loose);
  server.route({
    method: row.method,
    config: { operation: row.id },
    url: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Check access before the body is read, to refuse early.
    onRequest(request, _reply, done) {
      request.admitted = admit(row, request, world);
      done();
    },
    async handler(request, reply) {
      const who = request.admitted ?? admit(row, request, world);
      const call = toCall(row, read, { request, reply }, world, who);
      requireLevel(call as Call, world);
      const answer = await handle(call as Call, world);
      return send(row, reply, answer, checkAnswers);
    },
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Admitted {
  readonly caller: Caller;
  readonly project: Project | undefined;
}

/** Checks token, role, then project: in this order a refusal reveals the least. */
function admit(row: Operation, request: FastifyRequest, world: World): Admitted {
  const caller = authenticate(world, request.headers.authorization);
  requireRole(caller, row.role);
  const { projectId } = request.params as { projectId?: string };
  return { caller, project: projectId === undefined ? undefined : findProject(world, projectId, caller) };
}

function toCall(
  row: Operation,
  read: RequestReader,
  { request, reply }: Exchange,
  world: World,
  { caller, project }: Admitted,
) {
  const instance = request.url.split('?', 1)[0] ?? request.url;
  return {
    operation: row.id,
    requestId: request.id,
    ...read(request, instance),
    caller,
    project,
    instance,
    receive: () => receiveUpload(request, world, instance),
    // Not a getter: a getter per call would keep the request in memory until the next full garbage collection.
    signal: () => hangUp(reply),
  };
}

function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed && !reply.raw.writableFinished) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(row: Operation, reply: FastifyReply, answer: unknown, checkAnswers: boolean): FastifyReply {
  if (row.status === 204) return reply.code(204).send();
  if (checkAnswers) row.answer?.parse(answer);
  return reply.code(row.status).send(answer);
}
