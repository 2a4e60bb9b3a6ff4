import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Talk } from './talk.ts';

/** What came over a bare socket until it ended. */
export interface Raw {
  readonly text: string;
  /** `end`: closed in order; anything else is the error's code. */
  readonly over: string;
}

/** A request written byte for byte, and the socket that it was written to. */
export async function rawRequest(
  platform: Talk,
  line: string,
  { body = '', headers = [] as readonly string[] } = {},
): Promise<Socket> {
  const { hostname, port, host } = new URL(platform.platform.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `${line} HTTP/1.1`,
    ...(headers.some((header) => /^host:/i.test(header)) ? [] : [`host: ${host}`]),
    `authorization: Bearer ${platform.platform.tokens.superAdmin}`,
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${String(body.length)}`]),
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Reads until the other side ends it. */
export async function readRaw(socket: Socket): Promise<Raw> {
  let text = '';
  let over = 'end';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', (error: NodeJS.ErrnoException) => (over = error.code ?? error.message));
  if (!socket.closed) await new Promise((resolve) => void socket.once('close', resolve));
  return { text, over };
}

export async function raw(
  platform: Talk,
  line: string,
  options?: { readonly body?: string; readonly headers?: readonly string[] },
): Promise<Raw> {
  return readRaw(await rawRequest(platform, line, options));
}
