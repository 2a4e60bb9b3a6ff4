import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ScriptOutput } from './python.ts';

/** Reads all of a stream and keeps its beginning: what a script writes is not limited, memory is. */
export function readStart(stream: Readable, maxLength: number): () => ScriptOutput {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let omitted = 0;
  const add = (more: string): void => {
    const kept = more.slice(0, maxLength - text.length);
    text += kept;
    omitted += more.length - kept.length;
  };
  stream.on('data', (chunk: Buffer) => add(decoder.write(chunk)));
  stream.on('end', () => add(decoder.end()));
  return () => ({ text, omitted });
}

/** Reads a whole stream; calls `tooLong` once if it has more bytes than the limit, and keeps nothing from then on. */
export function readWhole(stream: Readable, maxBytes: number, tooLong: () => void): () => string {
  let chunks: Buffer[] = [];
  let left = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    left -= chunk.length;
    chunks.push(chunk);
    if (left >= 0) return;
    chunks = [];
    tooLong();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
