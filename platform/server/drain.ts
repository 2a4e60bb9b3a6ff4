import type { IncomingMessage } from 'node:http';

/** Maximum number of bytes to read and drop; beyond it the connection is closed. */
const maxBytes = 64 * 1024 ** 2;
const maxMs = 5000;

/**
 * Reads and discards the rest of a request's body. Most clients lose an answer that is sent while they still write,
 * and report a broken pipe instead of the reason. Resolves to whether the whole body has arrived.
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
