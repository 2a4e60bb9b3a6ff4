import { frameHeader } from './frames.ts';
import type { Position } from './messages.ts';

/** Microseconds from the Unix epoch to PostgreSQL's. */
const postgresEpoch = 946_684_800_000_000n;

const length = 1 + 8 + 8 + 8 + 8 + 1;

/**
 * The message that reports to the server that everything before the position is safe. `asks`: the server must
 * answer at once.
 */
export function statusUpdate(position: Position, asks: boolean): Buffer {
  const bytes = Buffer.alloc(frameHeader + length);
  bytes.write('d', 0, 'latin1');
  bytes.writeUInt32BE(4 + length, 1);
  bytes.write('r', frameHeader, 'latin1');
  // Written, flushed and applied: only what the target has counts.
  for (const nth of [0, 1, 2]) bytes.writeBigUInt64BE(position, frameHeader + 1 + 8 * nth);
  bytes.writeBigInt64BE(BigInt(Date.now()) * 1000n - postgresEpoch, frameHeader + 25);
  bytes[frameHeader + 33] = asks ? 1 : 0;
  return bytes;
}

/** The message with which this side ends the stream. */
export const copyDone = Buffer.from('c\0\0\0\u0004', 'latin1');
