import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Failure } from '../../lib/core/errors/failure.ts';
import * as z from 'zod';
import { asFailure } from '../kit/as-failure.ts';
import { controlPaths, demoComment, demoPush } from './demo-protocol.ts';
import type { HostActions } from './host-actions.ts';

/** The server of the demo on which `millrace webhook send` requests a push or a comment. */
export interface ControlServer extends AsyncDisposable {
  readonly url: string;
}

const maxBodyBytes = 200_000;

/** Starts the server on a free port of the loopback. Every request needs the token. */
export async function startControlServer(actions: HostActions, token: string): Promise<ControlServer> {
  // One after the other: two pushes at once would both start from the same commit of `main`.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (!isAuthorized(request, token)) return { status: 401, body: { error: 'invalid token' } };
    const path = request.method === 'POST' ? request.url : undefined;
    if (path === controlPaths.push) {
      const push = demoPush.parse(await readBody(request));
      return { status: 200, body: await inTurn(() => actions.push(push)) };
    }
    if (path === controlPaths.comment) {
      const comment = demoComment.parse(await readBody(request));
      return { status: 200, body: await inTurn(async () => actions.comment(comment)) };
    }
    return { status: 404, body: { error: 'unknown path' } };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => ({ status: 422, body: describe(error) }))
      .then(({ status, body }) => send(response, status, body))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await last;
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(JSON.stringify(body));
}

/** A failure as its code, message and hint: the command shows it as its own. */
function describe(error: unknown): object {
  if (error instanceof z.ZodError)
    return {
      code: 'usage',
      message: error.issues.map((issue) => issue.message).join(' '),
      where: { input: `--${String(error.issues[0]?.path[0] ?? '')}` },
      hint: 'Correct the option. See `millrace webhook --help`.',
    };
  if (error instanceof Failure)
    return { code: error.code, message: error.message, hint: error.hint, where: error.where };
  return describe(asFailure(error, new AbortController().signal));
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > maxBodyBytes) throw new Failure('usage', { message: 'The request is too large.' });
    chunks.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Failure('usage', { message: 'The request is not JSON.' });
  }
}
