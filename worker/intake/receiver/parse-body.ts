import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** The body of a signed delivery, parsed. */
export interface ParsedBody {
  readonly parsed: unknown;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

/** Size from which a body is parsed in a thread of its own: parsing this much takes about 20 ms. */
const largeBytes = 1024 * 1024;

/** Heap of that thread, in MB: parsed JSON takes several times its length. */
const threadMegabytes = 512;

/** Parses a body; undefined if it is not JSON. */
export function parseBody(body: Uint8Array): ParsedBody | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    const parsed = JSON.parse(bytes.toString('utf8')) as unknown;
    return { parsed, digest: hash('sha256', bytes, 'hex') };
  } catch {
    return undefined;
  }
}

/**
 * Like `parseBody`, but parses a large body in another thread, so that this one is not blocked; lists and long
 * texts of a large body are left out. Use it only for signed bodies, because a stranger must not be able to start
 * threads. The memory of a large body is transferred, and `body` is empty afterwards: copying 25 MB would block
 * this thread for longer than everything else. Rejects if the thread fails.
 */
export async function parseBodyAside(body: Buffer): Promise<ParsedBody | undefined> {
  if (body.length < largeBytes) return parseBody(body);
  const file = import.meta.url.endsWith('.ts') ? './parse-large-body.ts' : './parse-large-body.js';
  const thread = new Worker(new URL(file, import.meta.url), {
    workerData: body,
    transferList: ownMemory(body),
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ParsedBody | undefined>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread that parsed a large body ended')));
  try {
    return await promise;
  } finally {
    await thread.terminate();
  }
}

/** The memory of a body that does not share it. */
function ownMemory({ buffer, byteLength }: Buffer): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
