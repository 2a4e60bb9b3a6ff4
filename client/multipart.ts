import { FileChanged, ValueUnsendable } from './errors.ts';
import type { UploadFile } from './upload-file.ts';
import type { WireBody } from './wire.ts';

export interface Multipart {
  readonly contentType: string;
  /** Exact, so that nothing is sent in chunks and a cut upload is noticed by the platform. */
  readonly contentLength: number;
  readonly body: WireBody;
}

/** Small files are sent together in pieces of about this size. */
const pieceBytes = 64 * 1024;
const encoder = new TextEncoder();

/**
 * The form of spec §4.3: one part per file, its key the file's path. Quotes in a path are encoded as browsers do
 * (`%22`), other characters go as UTF-8.
 *
 * @throws {ValueUnsendable} for a path with a control character.
 * @throws {FileChanged} while sending, when a file yields another number of bytes than it said.
 */
export function multipartOf(operation: string, files: readonly UploadFile[], boundary: string): Multipart {
  const heads = files.map((file) => encoder.encode(partHead(operation, file.path, boundary)));
  const tail = encoder.encode(`--${boundary}--\r\n`);
  const contentLength = files.reduce(
    (sum, file, index) => sum + (heads[index]?.length ?? 0) + file.bytes + lineEnd.length,
    tail.length,
  );
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const [index, file] of files.entries()) {
      yield heads[index] ?? new Uint8Array();
      yield* contentOf(operation, file);
      yield lineEnd;
    }
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength,
    body: { kind: 'stream', open: () => inPieces(parts()) },
  };
}

const lineEnd = encoder.encode('\r\n');
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/u;

function partHead(operation: string, path: string, boundary: string): string {
  if (control.test(path) || !path.isWellFormed()) {
    const reason = `the path ${JSON.stringify(path)} holds a control character or half of one`;
    throw new ValueUnsendable({ operation, field: 'files', reason });
  }
  const key = path.replaceAll('"', '%22');
  // A part without a file name is read as a form field, whose size servers limit.
  const name = key.slice(key.lastIndexOf('/') + 1);
  return (
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"; filename="${name}"\r\n` +
    'Content-Type: text/plain\r\n\r\n'
  );
}

/** The file's bytes, exactly as many as it said: the content length is out already. */
async function* contentOf(operation: string, file: UploadFile): AsyncGenerator<Uint8Array> {
  const content = file.open();
  let read = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    read += chunk.length;
    if (read > file.bytes) break;
    yield chunk;
  }
  if (read !== file.bytes) throw new FileChanged({ operation, path: file.path, expected: file.bytes, read });
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield held.length === 1 ? chunk : Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
