import type { Position } from './messages.ts';

/** Records what was received of a stream, and up to which position the server may forget it. */
export interface Receipts {
  /** Everything before it is safe. Never moves back. */
  readonly acknowledged: Position;
  /** The end of the server's log, as far as it was sent or reported. */
  readonly serverEnd: Position;
  /** Notes a message of the plugin by its first byte; the message of a commit has the place where the log continues. */
  message(bytes: Buffer, start: number): void;
  /** Notes a position of the log up to which everything was sent. Returns whether that acknowledged more. */
  keepAlive(end: Position): boolean;
  /** Returns whether it acknowledged more. */
  acknowledge(position: Position): boolean;
}

const begin = 0x42;
const commit = 0x43;
const relation = 0x52;
const type = 0x59;
const origin = 0x4f;

/** In a commit: its kind, flags and its own position. */
const endInCommit = 1 + 1 + 8;

/**
 * While no published table changes, only keep-alive messages advance the position. It is acknowledged if every
 * received transaction is; otherwise the server would keep its log for an idle table.
 */
export function createReceipts(from: Position): Receipts {
  let acknowledged = from;
  let serverEnd = from;
  /** The end of the last transaction with changes. */
  let changedTo = from;
  let isInTransaction = false;
  let hasChanges = false;

  const acknowledge = (position: Position): boolean => {
    if (position <= acknowledged) return false;
    acknowledged = position;
    return true;
  };
  const reach = (position: Position): void => {
    if (position > serverEnd) serverEnd = position;
  };

  return {
    get acknowledged() {
      return acknowledged;
    },
    get serverEnd() {
      return serverEnd;
    },
    message(bytes, start) {
      const kind = bytes[start];
      if (kind === begin) {
        isInTransaction = true;
        hasChanges = false;
      } else if (kind === commit) {
        isInTransaction = false;
        const end = bytes.readBigUInt64BE(start + endInCommit);
        if (hasChanges) changedTo = end;
        reach(end);
      } else if (kind !== relation && kind !== type && kind !== origin) hasChanges = true;
    },
    keepAlive(end) {
      reach(end);
      return !isInTransaction && acknowledged >= changedTo && acknowledge(end);
    },
    acknowledge,
  };
}
