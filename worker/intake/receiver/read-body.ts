import type { IncomingMessage } from 'node:http';

/** Thrown if a body is longer than the limit. The rest of the body was not read. */
export class BodyTooLarge extends Error {}

/** Thrown if too many bytes of request bodies are being read at the same time. */
export class NoRoom extends Error {}

/** Thrown if the sender closed the connection before the body ended. */
export class CutOff extends Error {}

/**
 * Reads a body of at most `limit` bytes. Counts the bytes while it reads, because a chunked body does not state its
 * length. `hasRoom` is called with the size of each chunk, and returns false to refuse it. Rejects with
 * BodyTooLarge, NoRoom or CutOff.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  hasRoom: (bytes: number) => boolean = () => true,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    const fits = size <= limit;
    if (!fits || !hasRoom(chunk.length)) {
      request.off('data', take);
      request.pause();
      reject(fits ? new NoRoom() : new BodyTooLarge());
      return;
    }
    chunks.push(chunk);
  };
  request.on('data', take);
  const cut = (): void => reject(new CutOff());
  request.once('end', () => {
    // Every request closes in the end, and creating an unused error costs as much as the rest of this function.
    request.off('close', cut);
    resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
  });
  request.once('error', () => reject(new CutOff()));
  request.once('close', cut);
  return promise;
}
