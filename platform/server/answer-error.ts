import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { badRequest, Refusal, refuse } from '../refusal/refusal.ts';
import { drain } from './drain.ts';

/** Turns any thrown value into an answer of §7. No answer contains a stack trace or a path of this machine. */
export function answerError(logger: Logger) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = error instanceof Refusal ? error : toRefusal(error, request, logger);
    const whole = await drain(request.raw);
    if (!whole) void reply.header('connection', 'close');
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  };
}

function toRefusal(error: unknown, request: FastifyRequest, logger: Logger): Refusal {
  const instance = request.url.split('?', 1)[0] ?? '';
  const { code, statusCode, message } = factsOf(error);
  if (isFull(error, code))
    return refuse(507, 'The local platform has no disk space left. Nothing was stored.');
  if (statusCode === 413 || statusCode === 415) return refuse(statusCode, message);
  if (statusCode >= 400 && statusCode < 500) return badRequest(instance, [message]);
  logger.error('An operation failed', { requestId: request.id, url: instance, error: String(error), code });
  const text = error instanceof Failure ? error.message : 'The local platform failed; its log says more.';
  return new Refusal(500, { error: text, status: 500 });
}

interface Facts {
  readonly code: string;
  readonly statusCode: number;
  readonly message: string;
}

function factsOf(error: unknown): Facts {
  const facts = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    code: text(facts['code']),
    statusCode: typeof facts['statusCode'] === 'number' ? facts['statusCode'] : 0,
    message: text(facts['message']),
  };
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which SQLite reports for other write errors than ENOSPC. */
const databaseFull: ReadonlySet<number> = new Set([13, 778]);

function isFull(error: unknown, code: string): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return noSpace.has(code) || (errcode !== undefined && databaseFull.has(errcode));
}
