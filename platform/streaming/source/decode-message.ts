import type { Cell, Message, Position, Relation, RelationColumn, Tuple } from './messages.ts';
import { SourceFailure } from './source.ts';

/** Decodes the messages of one stream, in their order: a change names its table by an id, which an earlier message explains. */
export interface Decoder {
  /** Throws SourceFailure for a message that is unknown, cut off or too long, and for a change of an unknown table. */
  decode(data: Buffer): Message;
}

/** Microseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpoch = 946_684_800_000_000n;

const identities: Readonly<Record<number, Relation['identity'] | undefined>> = {
  0x64: 'default',
  0x6e: 'nothing',
  0x66: 'full',
  0x69: 'index',
};

const other: Message = { kind: 'other' };

/** A decoder of `pgoutput`, protocol version 1, with values as texts. */
export function createDecoder(): Decoder {
  const relations = new Map<number, Relation>();
  let buffer: Buffer = Buffer.alloc(0);
  let offset = 0;

  // The bounds are checked here and not by the exceptions of Buffer, whose texts say nothing about the message.
  function need(bytes: number): number {
    const start = offset;
    if (bytes < 0 || start + bytes > buffer.length) throw unreadable(buffer, 'it is cut off');
    offset = start + bytes;
    return start;
  }
  const uint8 = (): number => buffer[need(1)] as number;
  const int16 = (): number => buffer.readInt16BE(need(2));
  const int32 = (): number => buffer.readInt32BE(need(4));
  const uint32 = (): number => buffer.readUInt32BE(need(4));
  const position = (): Position => buffer.readBigUInt64BE(need(8));
  const time = (): bigint => buffer.readBigInt64BE(need(8)) + postgresEpoch;

  function name(): string {
    const end = buffer.indexOf(0, offset);
    if (end < 0) throw unreadable(buffer, 'it is cut off');
    const text = buffer.toString('utf8', offset, end);
    offset = end + 1;
    return text;
  }

  function knownRelation(): Relation {
    const id = uint32();
    const relation = relations.get(id);
    if (relation === undefined) throw unreadable(buffer, `it changes the unknown table ${id}`);
    return relation;
  }

  function relationMessage(): Message {
    const id = uint32();
    const schema = name() || 'pg_catalog';
    const table = name();
    const identity = identities[uint8()];
    if (identity === undefined) throw unreadable(buffer, 'its replica identity is unknown');
    const columns: RelationColumn[] = [];
    for (let left = int16(); left > 0; left -= 1)
      columns.push({
        isKey: uint8() === 1,
        name: name(),
        typeId: uint32(),
        typeModifier: int32(),
      });
    const relation: Relation = { id, schema, table, identity, columns };
    relations.set(id, relation);
    return { kind: 'relation', relation };
  }

  /** `old`: where the value of a column comes from if the change left it as it was. */
  function tuple(relation: Relation, old: Tuple | undefined): Tuple {
    const count = int16();
    if (count !== relation.columns.length) throw unreadable(buffer, 'its number of columns is wrong');
    const cells: Cell[] = [];
    for (let i = 0; i < count; i += 1) {
      const kind = buffer[need(1)];
      if (kind === 0x74) {
        const length = int32();
        const start = need(length);
        cells.push(textAt(buffer, start, length));
      } else if (kind === 0x6e) cells.push(null);
      else if (kind === 0x75) cells.push(old?.[i]);
      else throw unreadable(buffer, 'a value has an unknown form');
    }
    return cells;
  }

  function insertMessage(): Message {
    const relation = knownRelation();
    expect(0x4e);
    return { kind: 'insert', relation, after: tuple(relation, undefined) };
  }

  function updateMessage(): Message {
    const relation = knownRelation();
    let form = uint8();
    let before: Tuple | undefined;
    const isWhole = form === 0x4f;
    if (isWhole || form === 0x4b) {
      before = tuple(relation, undefined);
      form = uint8();
    }
    if (form !== 0x4e) throw unreadable(buffer, 'a row is missing');
    // A key is not a whole row: its other columns are null whatever their values are.
    return { kind: 'update', relation, before, after: tuple(relation, isWhole ? before : undefined) };
  }

  function deleteMessage(): Message {
    const relation = knownRelation();
    const form = uint8();
    if (form !== 0x4f && form !== 0x4b) throw unreadable(buffer, 'a row is missing');
    return { kind: 'delete', relation, before: tuple(relation, undefined) };
  }

  function truncateMessage(): Message {
    const count = uint32();
    uint8();
    const truncated: Relation[] = [];
    for (let i = 0; i < count; i += 1) truncated.push(knownRelation());
    return { kind: 'truncate', relations: truncated };
  }

  function beginMessage(): Message {
    return { kind: 'begin', position: position(), committedAt: time(), transactionId: uint32() };
  }

  function commitMessage(): Message {
    uint8();
    return { kind: 'commit', position: position(), end: position(), committedAt: time() };
  }

  function originMessage(): Message {
    position();
    name();
    return other;
  }

  function typeMessage(): Message {
    uint32();
    name();
    name();
    return other;
  }

  function logicalMessage(): Message {
    uint8();
    position();
    name();
    need(int32());
    return other;
  }

  function expect(byte: number): void {
    if (uint8() !== byte) throw unreadable(buffer, 'a row is missing');
  }

  function message(): Message {
    switch (uint8()) {
      case 0x49:
        return insertMessage();
      case 0x55:
        return updateMessage();
      case 0x44:
        return deleteMessage();
      case 0x42:
        return beginMessage();
      case 0x43:
        return commitMessage();
      case 0x52:
        return relationMessage();
      case 0x54:
        return truncateMessage();
      case 0x4f:
        return originMessage();
      case 0x59:
        return typeMessage();
      case 0x4d:
        return logicalMessage();
      default:
        throw unreadable(buffer, 'its kind is unknown');
    }
  }

  return {
    decode(data) {
      buffer = data;
      offset = 0;
      const decoded = message();
      if (offset !== data.length) throw unreadable(data, 'it is too long');
      return decoded;
    },
  };
}

function textAt(buffer: Buffer, start: number, length: number): string {
  return buffer.toString('utf8', start, start + length);
}

/** Values are data of the user: the message has none. */
function unreadable(data: Buffer, problem: string): SourceFailure {
  const code = data[0];
  const kind = code === undefined ? 'an empty message' : `a message of ${data.length} bytes, kind ${code}`;
  return new SourceFailure(`The server sent a change that cannot be read: ${problem} (${kind}).`, {
    hint: 'Check that the address is a PostgreSQL server, version 14 or later, and nothing in between changes bytes.',
  });
}
