import { Transform, type TransformCallback } from 'node:stream';

const maxHeaderBytes = 8 * 1024;
/** Far more than any document that the server keeps. */
const maxMessageBytes = 64 * 1024 * 1024;
const endOfHeader = '\r\n\r\n';
const lengthPattern = /^content-length:[ \t]*(\d{1,12})[ \t]*$/im;
const startOfHeader = 'content-length:';

/**
 * A stream that splits its input into whole messages, in the framing of the Language Server Protocol. After text
 * that is not a header, it continues at the next header, so that one broken message does not end the connection.
 * `onBroken` gets a description of the problem.
 */
export function messageFrames(onBroken: (problem: string) => void): Transform {
  let held: Buffer = Buffer.alloc(0);
  let isSkipping = false;

  /** Leaves out what cannot be read, up to the next header. */
  function skip(problem: string, from: number): void {
    if (!isSkipping) onBroken(problem);
    const rest = held.subarray(from);
    const next = rest.toString('latin1').toLowerCase().indexOf(startOfHeader);
    isSkipping = next === -1;
    // The end may be the beginning of a header.
    held =
      next === -1 ? rest.subarray(Math.max(0, rest.length - startOfHeader.length + 1)) : rest.subarray(next);
  }

  /** The next whole message with its header; undefined until there is one. */
  function take(): Buffer | undefined {
    for (;;) {
      if (isSkipping) skip('', 0);
      if (isSkipping) return undefined;
      const end = held.indexOf(endOfHeader);
      if (end === -1 && held.length <= maxHeaderBytes) return undefined;
      const header = held.toString('latin1', 0, end === -1 ? maxHeaderBytes : end);
      const [, digits] = lengthPattern.exec(header) ?? [];
      const isWhole =
        end !== -1 && end <= maxHeaderBytes && header.split('\r\n').every((line) => line.includes(':'));
      if (!isWhole || digits === undefined || Number(digits) > maxMessageBytes) {
        skip(problemOf(digits, isWhole), end === -1 ? startOfHeader.length : end + endOfHeader.length);
        continue;
      }
      const size = end + endOfHeader.length + Number(digits);
      if (held.length < size) return undefined;
      const message = held.subarray(0, size);
      held = held.subarray(size);
      return message;
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let message = take(); message !== undefined; message = take()) this.push(message);
      done();
    },
  });
}

function problemOf(digits: string | undefined, isWhole: boolean): string {
  if (!isWhole) return 'a header that is not made of lines such as "Content-Length: 12"';
  if (digits === undefined) return 'a header without a Content-Length that is a whole number';
  return `a message of ${digits} bytes, more than the limit of ${maxMessageBytes}`;
}
