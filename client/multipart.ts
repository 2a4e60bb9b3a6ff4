import { isUint8Array } from 'node:util/types';
import { Failure } from '../lib/core/failure.ts';
import { FileChanged, FileUnreadable, ValueUnsendable } from './errors.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { describeProblem } from './transport-problem.ts';
import type { UploadFile } from './upload-file.ts';
import type { WireBody } from './wire.ts';

export interface Multipart {
  readonly contentType: string;
  /** Exact, so that nothing is sent in chunks and a cut upload is noticed by the platform. */
  readonly contentLength: number;
  readonly body: WireBody;
}

/** Small files are sent together in pieces of about this size. */
const pieceBytes = 128 * 1024;

/**
 * The form of spec §4.3: one part per file, its key the file's path. Quotes in a path are encoded as browsers do
 * (`%22`), other characters go as UTF-8.
 *
 * @throws {ValueUnsendable} for a path with a control character.
 * @throws {FileChanged} while sending, when a file yields another number of bytes than it said;
 * {@link FileUnreadable} when it cannot be read.
 */
export function multipartOf(operation: string, files: readonly UploadFile[], boundary: string): Multipart {
  // As text, and measured: a buffer for each of thousands takes longer to make than to write it where it goes.
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

/** What most paths are made of: each character one byte, and none of them means anything in a header. */
const plain = /^[ !#-~]*$/;
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/u;

/** From the end of the part before to the file's first byte. */
interface PartHead {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
}

function partHead(operation: string, path: string, delimiter: string): PartHead {
  const isPlain = plain.test(path);
  if (!isPlain && (control.test(path) || !path.isWellFormed())) {
    const reason = `the path ${JSON.stringify(path)} holds a control character or half of one`;
    throw new ValueUnsendable({ operation, field: 'files', reason });
  }
  const key = isPlain ? path : path.replaceAll('"', '%22');
  // A part without a file name is read as a form field, whose size servers limit.
  const name = key.slice(key.lastIndexOf('/') + 1);
  const text =
    `${delimiter}\r\nContent-Disposition: form-data; name="${key}"; filename="${name}"\r\n` +
    'Content-Type: text/plain\r\n\r\n';
  return { text, length: isPlain ? text.length : Buffer.byteLength(text) };
}

/**
 * The whole form. Heads and small contents are gathered into pieces, by copying; a large chunk goes out as it
 * came. A file that is there at once costs no turn of the event loop.
 */
function* formOf(
  operation: string,
  files: readonly UploadFile[],
  heads: readonly PartHead[],
  tail: Uint8Array,
): Pieces {
  // Used in turn: the connection has taken a piece whole before it asks for the one after the next.
  const buffers = Array.from({ length: 4 }, () => Buffer.allocUnsafeSlow(2 * pieceBytes));
  let nth = 0;
  let piece = buffers[0] ?? Buffer.alloc(0);
  let held = 0;
  /** True where it fitted in. */
  const gather = (chunk: Uint8Array): boolean => {
    if (chunk.length > piece.length - held) return false;
    piece.set(chunk, held);
    held += chunk.length;
    return true;
  };
  const flush = (): Uint8Array => {
    const full = piece.subarray(0, held);
    nth += 1;
    piece = buffers[nth % buffers.length] ?? piece;
    held = 0;
    return full;
  };
  function* put(chunk: Uint8Array): Generator<Uint8Array> {
    if (chunk.length < pieceBytes && gather(chunk)) {
      if (held >= pieceBytes) yield flush();
      return;
    }
    if (held > 0) yield flush();
    if (chunk.length >= pieceBytes || !gather(chunk)) yield chunk;
  }

  for (const [index, file] of files.entries()) {
    const head = heads[index] ?? { text: '', length: 0 };
    const { path, bytes: expected } = file;
    try {
      const fits = head.length + expected < piece.length - held;
      // Room for one byte more shows whether the file has grown.
      if (file.readInto !== undefined && fits) {
        held += piece.write(head.text, held);
        const read = file.readInto(piece.subarray(held, held + expected + 1));
        if (read !== expected) throw new FileChanged({ operation, path, expected, read });
        held += read;
        if (held >= pieceBytes) yield flush();
        continue;
      }
      const content = file.pieces?.() ?? file.open();
      if (content instanceof Uint8Array) {
        if (content.length !== expected) {
          throw new FileChanged({ operation, path, expected, read: content.length });
        }
        if (fits) {
          held += piece.write(head.text, held);
          gather(content);
          if (held >= pieceBytes) yield flush();
          continue;
        }
        yield* put(Buffer.from(head.text));
        yield* put(content);
      } else {
        yield* put(Buffer.from(head.text));
        let read = 0;
        for (const chunk of Symbol.asyncIterator in content ? piecesOf(content) : content) {
          if (chunk instanceof Promise) {
            yield chunk;
            continue;
          }
          if (!isUint8Array(chunk)) throw new TypeError(notBytes(chunk));
          read += chunk.length;
          // Not a byte more than was announced: the content length is out already.
          if (read > expected) break;
          yield* put(chunk);
        }
        if (read !== expected) throw new FileChanged({ operation, path, expected, read });
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new FileUnreadable({ operation, path, reason: describeProblem(error), cause: error });
    }
  }
  yield* put(tail);
  if (held > 0) yield flush();
}

/** The types do not refuse a stream that was given an encoding; copied as bytes, its letters would be zeros. */
function notBytes(chunk: unknown): string {
  return typeof chunk === 'string'
    ? 'it yields text instead of bytes; open the stream without an encoding'
    : 'it yields something other than bytes';
}
