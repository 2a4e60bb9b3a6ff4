import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { type FaultAnswer, framesItself, headOf } from './fault-answer.ts';
import type { MatchedFaultRule } from './faults.ts';

interface Wire {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly clock: Clock;
  /** Aborts when the platform shuts down or the caller closes the connection. */
  readonly signal: AbortSignal;
}

/** Applies a rule to the connection. `answer` is the answer to send, to break or to drop. */
export async function sendFault(matched: MatchedFaultRule, answer: FaultAnswer, wire: Wire): Promise<void> {
  const { socket } = wire;
  switch (matched.wire) {
    case undefined:
      return sendWhole(answer, wire);
    case 'refuse':
      socket.destroy();
      return;
    case 'reset-before':
    case 'reset-after':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.end();
      return;
    case 'dribble':
      return dribble(answer, matched.interval ?? 1000, wire);
    case 'malformed-chunk':
      return malformedChunk(answer, socket);
    case 'truncated':
      return truncated(answer, socket);
    case 'stall':
      return stall(answer, socket);
    case 'silence':
      return;
  }
}

async function sendWhole(answer: FaultAnswer, { response, socket, signal }: Wire): Promise<void> {
  const { status, headers, body, fillerBytes } = answer;
  // Node does not send a wrong length; after one, the connection cannot be used again.
  if (framesItself(answer)) {
    socket.write(headOf(answer, headers));
    if (fillerBytes === undefined) socket.end(body);
    else await sendFiller(socket, fillerBytes, signal);
    return;
  }
  const length = fillerBytes ?? body.byteLength;
  const bare = status === 204 || status === 304;
  response.writeHead(status, { ...headers, ...(bare ? {} : { 'content-length': length }) });
  if (bare || fillerBytes === undefined) {
    response.end(bare ? undefined : body);
    return;
  }
  await sendFiller(response, fillerBytes, signal);
}

const block = Buffer.alloc(64 * 1024, ' ');

/** Not with `pipeline`: its listeners and the framework's own exceed Node's limit for a leak warning. */
async function sendFiller(to: Writable, bytes: number, signal: AbortSignal): Promise<void> {
  for (let left = bytes; left > 0; left -= block.byteLength) {
    signal.throwIfAborted();
    const room = to.write(left < block.byteLength ? block.subarray(0, left) : block);
    if (!room) await once(to, 'drain', { signal });
  }
  to.end();
}

async function dribble(
  answer: FaultAnswer,
  interval: number,
  { socket, clock, signal }: Wire,
): Promise<void> {
  socket.write(headOf(answer, { 'content-length': String(answer.body.byteLength) }));
  for (const byte of answer.body) {
    await clock.sleep(interval, signal);
    if (!socket.writable) return;
    socket.write(Buffer.of(byte));
  }
  socket.end();
}

/** One valid chunk, then one whose length is not a number. */
function malformedChunk(answer: FaultAnswer, socket: Socket): void {
  const half = firstHalf(answer);
  socket.write(headOf(answer, { 'transfer-encoding': 'chunked' }));
  if (half.byteLength > 0) {
    socket.write(`${half.byteLength.toString(16)}\r\n`);
    socket.write(half);
    socket.write('\r\n');
  }
  socket.end('zz\r\nno chunk\r\n');
}

/** Announces the full length, sends half of the body and closes. */
function truncated(answer: FaultAnswer, socket: Socket): void {
  socket.write(headOf(answer, { 'content-length': String(Math.max(1, answer.body.byteLength)) }));
  socket.end(firstHalf(answer));
}

/** Like `truncated`, but never closes the connection. */
function stall(answer: FaultAnswer, socket: Socket): void {
  socket.write(headOf(answer, { 'content-length': String(Math.max(1, answer.body.byteLength)) }));
  socket.write(firstHalf(answer));
}

function firstHalf({ body }: FaultAnswer): Buffer {
  return body.subarray(0, Math.floor(body.byteLength / 2));
}
