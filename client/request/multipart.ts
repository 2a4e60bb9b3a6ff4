import { isUint8Array } from 'node:util/types';
import { Failure } from '../../lib/core/errors/failure.ts';
import { FileChanged, FileUnreadable, ValueUnsendable } from '../errors/errors.ts';
import { type Chunks, chunksOf } from '../transport/chunks.ts';
import { describeProblem } from '../../lib/http/transport-problem.ts';
import type { UploadFile } from './upload-file.ts';
import type { WireBody } from '../transport/wire.ts';

export interface Multipart {
  readonly contentType: string;
  /** Exact, so that no chunked encoding is used and the platform detects a truncated upload. */
  readonly contentLength: number;
  readonly body: WireBody;
}

/** Small files are sent together in chunks of about this size. */
const chunkBytes = 128 * 1024;

/**
 * The form of spec §4.3: one part per file, with the file's path as its key. Quotation marks in a path are encoded as
 * `%22`, as in browsers; other characters are sent as UTF-8.
 *
 * @throws {ValueUnsendable} for a path with a control character.
 * @throws {FileChanged} while sending, when the content of a file differs in size from `bytes`; {@link
 * FileUnreadable} when it cannot be read.
 */
export function multipartOf(operation: string, files: readonly UploadFile[], boundary: string): Multipart {
  // Text with its length: to allocate thousands of buffers takes longer than to write the text to its place.
  const heads: PartHead[] = [];
  const tail = Buffer.from(`${files.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`);
  let contentLength = tail.length;
  for (const { path, bytes } of files) {
    const head = partHead(operation, path, heads.length === 0 ? `--${boundary}` : `\r\n--${boundary}`);
    heads.push(head);
    contentLength += head.length + bytes;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength,
    body: { kind: 'stream', open: () => formOf(operation, files, heads, tail) },
  };
}

/** Characters of most paths: each takes one byte and has no special meaning in a header. */
const plain = /^[ !#-~]*$/;
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/u;

/** The text between the end of the previous part and the file's first byte. */
interface PartHead {
  readonly text: string;
  /** The length of the body in bytes. */
  readonly length: number;
}

function partHead(operation: string, path: string, delimiter: string): PartHead {
  const isPlain = plain.test(path);
  if (!isPlain && (control.test(path) || !path.isWellFormed())) {
    const reason = `the path ${JSON.stringify(path)} contains a control character or half of a character`;
    throw new ValueUnsendable({ operation, field: 'files', reason });
  }
  const key = isPlain ? path : path.replaceAll('"', '%22');
  // Servers read a part without a file name as a form field and limit its size.
  const name = key.slice(key.lastIndexOf('/') + 1);
  const text =
    `${delimiter}\r\nContent-Disposition: form-data; name="${key}"; filename="${name}"\r\n` +
    'Content-Type: text/plain\r\n\r\n';
  return { text, length: isPlain ? text.length : Buffer.byteLength(text) };
}

/** The whole form. A file that is available synchronously needs no turn of the event loop. */
function* formOf(
  operation: string,
  files: readonly UploadFile[],
  heads: readonly PartHead[],
  tail: Uint8Array,
): Chunks {
  const form = createGatherer();
  for (const [index, file] of files.entries()) {
    const head = heads[index] ?? { text: '', length: 0 };
    const { path, bytes: expected } = file;
    try {
      const fits = head.length + expected < form.room();
      if (file.readInto !== undefined && fits) {
        form.write(head.text);
        // Room for one additional byte shows whether the file has grown.
        const read = file.readInto(form.free(expected + 1));
        if (read !== expected) throw new FileChanged({ operation, path, expected, read });
        form.written(read);
        if (form.isFull()) yield form.flush();
        continue;
      }
      const content = file.chunks?.() ?? file.open();
      if (!(content instanceof Uint8Array)) {
        yield* form.put(Buffer.from(head.text));
        yield* streamInto(form, operation, file, content);
        continue;
      }
      if (content.length !== expected)
        throw new FileChanged({ operation, path, expected, read: content.length });
      if (fits) {
        form.write(head.text);
        form.gather(content);
        if (form.isFull()) yield form.flush();
        continue;
      }
      yield* form.put(Buffer.from(head.text));
      yield* form.put(content);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new FileUnreadable({ operation, path, reason: describeProblem(error), cause: error });
    }
  }
  yield* form.put(tail);
  if (!form.isEmpty()) yield form.flush();
}

/** The content of a file that is read in chunks. */
function* streamInto(
  form: Gatherer,
  operation: string,
  { path, bytes: expected }: UploadFile,
  content: Exclude<ReturnType<UploadFile['open']> | Chunks, Uint8Array>,
): Chunks {
  let read = 0;
  for (const chunk of Symbol.asyncIterator in content ? chunksOf(content) : content) {
    if (chunk instanceof Promise) {
      yield chunk;
      continue;
    }
    if (!isUint8Array(chunk)) throw new TypeError(notBytes(chunk));
    read += chunk.length;
    // Send no byte beyond the announced size: the content length has already been sent.
    if (read > expected) break;
    yield* form.put(chunk);
  }
  if (read !== expected) throw new FileChanged({ operation, path, expected, read });
}

type Gatherer = ReturnType<typeof createGatherer>;

/** Copies part headers and small contents into shared buffers, which are sent when they are full. */
function createGatherer() {
  // Used in rotation: the connection has sent a chunk completely before it requests the next but one.
  const buffers = Array.from({ length: 4 }, () => Buffer.allocUnsafeSlow(2 * chunkBytes));
  let nth = 0;
  let buffer = buffers[0] ?? Buffer.alloc(0);
  let held = 0;
  /** Copies the chunk into the current buffer; false if it does not fit. */
  const gather = (chunk: Uint8Array): boolean => {
    if (chunk.length > buffer.length - held) return false;
    buffer.set(chunk, held);
    held += chunk.length;
    return true;
  };
  const flush = (): Uint8Array => {
    const full = buffer.subarray(0, held);
    nth += 1;
    buffer = buffers[nth % buffers.length] ?? buffer;
    held = 0;
    return full;
  };
  return {
    gather,
    flush,
    isFull: (): boolean => held >= chunkBytes,
    isEmpty: (): boolean => held === 0,
    /** Bytes that still fit. */
    room: (): number => buffer.length - held,
    write(text: string): void {
      held += buffer.write(text, held);
    },
    /** The next bytes of the buffer, for a caller that writes to them and then calls `written`. */
    free: (bytes: number): Uint8Array => buffer.subarray(held, held + bytes),
    written(bytes: number): void {
      held += bytes;
    },
    /** Gathers a small chunk and passes a large one on as it is. */
    *put(chunk: Uint8Array): Generator<Uint8Array> {
      if (chunk.length < chunkBytes && gather(chunk)) {
        if (held >= chunkBytes) yield flush();
        return;
      }
      if (held > 0) yield flush();
      if (chunk.length >= chunkBytes || !gather(chunk)) yield chunk;
    },
  };
}

/** The types do not exclude a stream with an encoding; its characters, copied as bytes, would become zeros. */
function notBytes(chunk: unknown): string {
  return typeof chunk === 'string'
    ? 'it yields text instead of bytes; open the stream without an encoding'
    : 'it yields something other than bytes';
}
