import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Exchange, keepBody } from '../world/exchange.ts';
import { answerOf, type FaultAnswer, ownAnswer } from '../faults/fault-answer.ts';
import type { MatchedFaultRule } from '../faults/faults.ts';
import { sendFault } from '../faults/send-fault.ts';
import { refuse } from '../refusal/refusal.ts';
import type { LoggedRequest } from '../world/exchange.ts';
import type { World } from '../world/world.ts';
import { drain } from './drain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only routes of the API have one; routes of the platform itself are neither logged nor affected by faults. */
    operation?: string;
  }
  interface FastifyRequest {
    /** State of the fault hooks for the request. */
    watched: Watched | undefined;
  }
}

/** State of a request between its hooks. */
interface Watched {
  readonly exchange: Exchange;
  /** A rule that applies later: after the request was executed, or before its handler if it only adds latency. */
  matched: MatchedFaultRule | undefined;
}

/** Logs every request to the API, counts it against the rate limit, and applies the fault rules. */
export function registerFaultHooks(server: FastifyInstance, world: World): void {
  server.decorateRequest('watched');

  server.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return done();
    const { projectId } = (request.params ?? {}) as { projectId?: string };
    const exchange = open(world, request, operation, projectId);
    const { entry } = exchange;
    reply.raw.once('close', () => {
      if (entry.outcome === 'open') entry.outcome = 'hung-up';
    });
    const seconds = world.faults.overLimit(world.clock.now());
    if (seconds !== undefined) {
      entry.outcome = 'rate-limited';
      request.watched = { exchange, matched: undefined };
      reply.header('retry-after', String(seconds));
      return done(refuse(429, `Too many requests. Try again in ${String(seconds)} s.`));
    }
    const matched = world.faults.match({ operation, project: projectId });
    const early = matched !== undefined && !matched.processed && !isLatencyAlone(matched);
    request.watched = { exchange, matched: early ? undefined : matched };
    if (!early) return done();
    // With `refuse`, the connection is closed before the body is read. For all other faults, the body is read and dropped.
    const ready = matched.wire === 'refuse' ? Promise.resolve() : drain(request.raw);
    void hurt(world, { matched, exchange, request, reply, after: ready }, nothing);
  });

  // After the body is read: the caller has sent everything, so the request is executed even if the caller closes the
  // connection.
  server.addHook('preHandler', (request, _reply, done) => {
    const matched = request.watched?.matched;
    if (matched?.latency === undefined || matched.processed) return done();
    void later(world, matched.latency, done);
  });

  server.addHook('onSend', (request, reply, payload, done) => {
    const watched = request.watched;
    if (watched === undefined) return done();
    const { exchange, matched } = watched;
    const { entry } = exchange;
    entry.status = reply.statusCode;
    if (typeof payload === 'string') exchange.answer = keepBody(payload);
    // A body of a type without a parser is passed on unchanged.
    if (exchange.body === undefined && typeof request.body === 'string')
      exchange.body = keepBody(request.body);
    if (matched?.processed !== true) {
      if (entry.outcome === 'open') entry.outcome = 'answered';
      return done();
    }
    watched.matched = undefined;
    if (isLatencyAlone(matched)) {
      return void later(world, matched.latency ?? 0, () => {
        if (entry.outcome === 'open') entry.outcome = 'answered';
        done();
      });
    }
    const platformAnswer = ownAnswer(reply.statusCode, reply.getHeaders(), payload);
    void hurt(world, { matched, exchange, request, reply, after: Promise.resolve() }, platformAnswer);
  });
}

interface Victim {
  readonly matched: MatchedFaultRule;
  readonly exchange: Exchange;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly after: Promise<unknown>;
}

/** Takes the reply over from the framework and breaks it. */
async function hurt(world: World, victim: Victim, platformAnswer: FaultAnswer): Promise<void> {
  const { matched, exchange, request, reply, after } = victim;
  const { entry } = exchange;
  reply.hijack();
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const signal = AbortSignal.any([left.signal, world.ending]);
  const ruleAnswer = answerOf(matched);
  try {
    await after;
    if (matched.latency !== undefined) await world.clock.sleep(matched.latency, signal);
    entry.outcome = matched.wire ?? 'fault';
    if (ruleAnswer !== undefined) {
      entry.status = ruleAnswer.status;
      exchange.answer = keepBody(ruleAnswer.body.toString('utf8'));
    }
    const answer = ruleAnswer ?? platformAnswer;
    const headers = { ...answer.headers, 'x-request-id': request.id };
    await sendFault(
      matched,
      { ...answer, headers },
      { response: reply.raw, socket: request.raw.socket, clock: world.clock, signal },
    );
  } catch (error) {
    if (!signal.aborted) world.logger.error('A fault could not be carried out', { error: String(error) });
    request.raw.socket.destroy();
  }
}

function open(
  world: World,
  request: FastifyRequest,
  operation: string,
  projectId: string | undefined,
): Exchange {
  const entry: LoggedRequest = {
    requestId: request.id,
    at: new Date(world.clock.now()).toISOString(),
    operation,
    method: request.method,
    path: request.url.slice(0, 2000),
    project: projectId ?? null,
    status: null,
    outcome: 'open',
  };
  const exchange = { entry, headers: request.raw.rawHeaders, body: undefined, parts: [], answer: undefined };
  world.requests.add(exchange);
  return exchange;
}

function isLatencyAlone({ status, wire }: MatchedFaultRule): boolean {
  return status === undefined && wire === undefined;
}

async function later(world: World, ms: number, go: () => void): Promise<void> {
  try {
    await world.clock.sleep(ms, world.ending);
  } catch {
    // The platform is shutting down: do not continue.
    return;
  }
  go();
}

/** The answer to break. If the request was not executed, there is none. */
const nothing: FaultAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from('{}'),
  fillerBytes: undefined,
};
