import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends requests made before, one after the other, and reads of an answer only what it must. */
export interface RawSender {
  /** The status that came. */
  send(request: Buffer): Promise<number>;
  close(): Promise<void>;
}

/**
 * Does as little as possible between the bytes of a request and its answer: the measuring program must take less time
 * than the measured ones, or all of them look the same.
 */
export async function openRawSender(url: string): Promise<RawSender> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, 'connect');
  let text = '';
  let answered: ((status: number) => void) | undefined;
  let broken: ((error: Error) => void) | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text += part;
    if (!isWhole(text)) return;
    const status = Number(text.slice(9, 12));
    text = '';
    answered?.(status);
  });
  socket.once('close', () => broken?.(new Error('the receiver closed a connection')));
  return {
    async send(request) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      answered = resolve;
      broken = reject;
      socket.write(request);
      return promise;
    },
    close: async () => ended(socket),
  };
}

/** Whether an answer ends here: by its length, or by its last chunk. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= head + 4 + Number(length);
}

async function ended(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
}
