/** Splits received bytes into messages of PostgreSQL's protocol. */
export interface FrameReader {
  /** Calls for each message that ends in the chunk: its kind, and where its content is in the bytes. Throws for an impossible length. */
  read(chunk: Buffer): void;
}

export type FrameListener = (kind: number, bytes: Buffer, start: number, end: number) => void;

/** The size of a message's header: a kind of one byte, and a length of four bytes that counts itself. */
export const frameHeader = 5;

/** PostgreSQL sends at most a gigabyte in a message. */
const maxLength = 0x4000_0000;

/**
 * Creates a reader whose messages never change later: each is a part of a received chunk, or a separate copy. (The
 * parser of `pg` moves bytes inside one buffer, and overwrites earlier messages.)
 */
export function createFrameReader(listener: FrameListener): FrameReader {
  // A message that has not ended, in parts: it must not be copied for each chunk.
  let parts: Buffer[] = [];
  let size = 0;
  let needed = frameHeader;

  return {
    read(chunk) {
      let bytes = chunk;
      if (size > 0) {
        parts.push(chunk);
        size += chunk.length;
        if (size < needed) return;
        bytes = Buffer.concat(parts, size);
        parts = [];
        size = 0;
      }
      let offset = 0;
      needed = frameHeader;
      while (offset + frameHeader <= bytes.length) {
        const length = bytes.readUInt32BE(offset + 1);
        if (length < 4 || length > maxLength) throw new RangeError(`a message of ${length} bytes`);
        const end = offset + 1 + length;
        if (end > bytes.length) {
          needed = 1 + length;
          break;
        }
        listener(bytes[offset] as number, bytes, offset + frameHeader, end);
        offset = end;
      }
      if (offset < bytes.length) {
        const rest = offset === 0 ? bytes : bytes.subarray(offset);
        parts = [rest];
        size = rest.length;
      }
    },
  };
}
