import type { IncomingMessage } from 'node:http';

/** More than this is not read only to be thrown away: the connection is closed instead. */
const maxBytes = 64 * 1024 ** 2;
const maxMs = 5000;

/**
 * Reads and forgets what is left of a request's body. An answer that is sent while the caller still writes is lost to
 * most clients, who see a broken pipe instead of the reason. Resolves to whether the whole body has arrived.
 */
export function drain(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(request.complete);
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) finish();
    };
    const finish = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', finish).off('close', finish).off('error', finish);
      resolve(request.complete);
    };
    const timer = setTimeout(finish, maxMs);
    request.unpipe();
    request.on('end', finish).on('close', finish).on('error', finish).on('data', count);
    request.resume();
  });
}
