import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** A signed body. */
export interface ParsedBody {
  readonly parsed: unknown;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

/** From here on a body goes to a thread of its own: parsing so much takes some 20 ms. */
const largeBytes = 1024 * 1024;

/** Heap of that thread, in MB: JSON takes several times its length. */
const threadMegabytes = 512;

/** Parses a body; undefined where it is no JSON. */
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
 * As `parseBody`, but a large body does not keep this thread: of it lists and long texts are left out. Only for what
 * is signed: a stranger must not be able to have threads made. A large body is given away: it is empty then, for a
 * copy of 25 MB keeps this thread for longer than all else about it. Rejects where the thread fails.
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

/** The memory of a body that shares it with nothing else. */
function ownMemory({ buffer, byteLength }: Buffer): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
