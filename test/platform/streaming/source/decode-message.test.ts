import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../platform/streaming/source/decode-message.ts';
import type { Message, Relation } from '../../../../platform/streaming/source/messages.ts';
import { SourceFailure } from '../../../../platform/streaming/source/source.ts';
import { wire } from './wire.ts';

/** A decoder that knows the table `items`, with the id 7 and two columns. */
function decoderOfItems(identity = 'd') {
  const decoder = createDecoder();
  const { relation } = decoder.decode(wire.relation(7, 'items', ['id', 'text'], identity)) as {
    relation: Relation;
  };
  return { decoder, relation };
}

/** One message of each kind, after the table `items`. */
const messages: readonly Buffer[] = [
  wire.begin(16n, 0n, 5),
  wire.commit(16n, 32n, 1n),
  wire.change('I', 7, wire.row('N', '1', 'a')),
  wire.change('U', 7, wire.row('K', '1', null), wire.row('N', '2', undefined)),
  wire.change('D', 7, wire.row('O', '2', 'a')),
  wire.truncate(7, 7),
  wire.relation(8, 'others', ['a', 'b', 'c'], 'f'),
  Buffer.concat([Buffer.from('O'), wire.int64(1n), wire.name('elsewhere')]),
  Buffer.concat([Buffer.from('Y'), wire.int32(9), wire.name('public'), wire.name('mood')]),
  Buffer.concat([Buffer.from('M\0'), wire.int64(1n), wire.name('topic'), wire.int32(2), Buffer.from('ab')]),
];

test('begin and commit have their positions, and microseconds since the Unix epoch', () => {
  const decoder = createDecoder();
  // 2000-01-01 00:00:00.000001 UTC.
  expect(decoder.decode(wire.begin(0x1_0000_0010n, 1n, 4_000_000_000 - 2 ** 32))).toEqual({
    kind: 'begin',
    position: 0x1_0000_0010n,
    committedAt: 946_684_800_000_001n,
    transactionId: 4_000_000_000,
  });
  expect(decoder.decode(wire.commit(1n, 2n, -946_684_800_000_000n))).toEqual({
    kind: 'commit',
    position: 1n,
    end: 2n,
    committedAt: 0n,
  });
});

test('a relation has its columns, with the key and the types', () => {
  const { relation } = decoderOfItems('i');
  expect(relation).toEqual({
    id: 7,
    schema: 'public',
    table: 'items',
    identity: 'index',
    columns: [
      { name: 'id', typeId: 25, typeModifier: -1, isKey: true },
      { name: 'text', typeId: 25, typeModifier: -1, isKey: false },
    ],
  });
});

describe('changes of rows', () => {
  const { decoder, relation } = decoderOfItems();
  test.each<[string, Buffer, Message]>([
    [
      'an insert has texts, also empty ones, and NULL',
      wire.change('I', 7, wire.row('N', '', null)),
      { kind: 'insert', relation, after: ['', null] },
    ],
    [
      'an update that leaves the key has no old row',
      wire.change('U', 7, wire.row('N', '1', 'ä€😀')),
      { kind: 'update', relation, before: undefined, after: ['1', 'ä€😀'] },
    ],
    [
      'a value that an update left as it was is undefined, also beside an old key',
      wire.change('U', 7, wire.row('K', '1', null), wire.row('N', '2', undefined)),
      { kind: 'update', relation, before: ['1', null], after: ['2', undefined] },
    ],
    [
      'with a whole old row, a value that an update left as it was comes from there',
      wire.change('U', 7, wire.row('O', '1', 'old'), wire.row('N', '2', undefined)),
      { kind: 'update', relation, before: ['1', 'old'], after: ['2', 'old'] },
    ],
    [
      'a delete has the old row',
      wire.change('D', 7, wire.row('K', '1', null)),
      { kind: 'delete', relation, before: ['1', null] },
    ],
    [
      'a truncate has all its tables',
      wire.truncate(7, 7),
      { kind: 'truncate', relations: [relation, relation] },
    ],
  ])('%s', (_, bytes, message) => expect(decoder.decode(bytes)).toEqual(message));
});

test('a relation that arrives again replaces the one before', () => {
  const { decoder } = decoderOfItems();
  decoder.decode(wire.relation(7, 'items', ['id', 'text', 'more']));
  expect(decoder.decode(wire.change('I', 7, wire.row('N', '1', 'a', 'b')))).toMatchObject({
    after: ['1', 'a', 'b'],
  });
  expect(() => decoder.decode(wire.change('I', 7, wire.row('N', '1', 'a')))).toThrow(
    'its number of columns is wrong',
  );
});

describe('bytes that are not a message are refused', () => {
  test.each(messages.map((message) => [String.fromCharCode(message[0] ?? 0), message] as const))(
    'a message of the kind %s that is cut off anywhere, or too long',
    (_, message) => {
      const { decoder } = decoderOfItems();
      for (let length = 0; length < message.length; length += 1)
        expect(() => decoder.decode(message.subarray(0, length))).toThrow(SourceFailure);
      expect(() => decoder.decode(Buffer.concat([message, Buffer.from('n')]))).toThrow(SourceFailure);
      expect(() => decoder.decode(message)).not.toThrow();
    },
  );

  test.each<[string, Buffer, string]>([
    ['an unknown kind', Buffer.from('Z'), 'its kind is unknown (a message of 1 bytes, kind 90)'],
    ['nothing', Buffer.alloc(0), 'it is cut off (an empty message)'],
    ['an unknown table', wire.change('I', 8, wire.row('N', '1', 'a')), 'it changes the unknown table 8'],
    ['an unknown table to truncate', wire.truncate(7, 8), 'it changes the unknown table 8'],
    ['too few values', wire.change('I', 7, wire.row('N', '1')), 'its number of columns is wrong'],
    ['an insert of an old row', wire.change('I', 7, wire.row('O', '1', 'a')), 'a row is missing'],
    ['a delete of a new row', wire.change('D', 7, wire.row('N', '1', 'a')), 'a row is missing'],
    ['an update without a new row', wire.change('U', 7, wire.row('O', '1', 'a')), 'it is cut off'],
    [
      'a value in binary form',
      Buffer.concat([wire.change('I', 7), Buffer.from('N'), wire.int16(2), Buffer.from('b')]),
      'a value has an unknown form',
    ],
    [
      'a value of negative length',
      Buffer.concat([wire.change('I', 7), Buffer.from('N'), wire.int16(2), Buffer.from('t'), wire.int32(-5)]),
      'it is cut off',
    ],
    ['an unknown replica identity', wire.relation(9, 'more', [], 'x'), 'its replica identity is unknown'],
  ])('%s', (_, bytes, problem) => {
    const { decoder } = decoderOfItems();
    expect(() => decoder.decode(bytes)).toThrow(`The server sent a change that cannot be read: ${problem}`);
  });

  test('random bytes are a message or a SourceFailure, never another error', () => {
    const kinds = fc.nat(10).map((nth) => 'BCRIUDTOYMZ'.charCodeAt(nth));
    fc.assert(
      fc.property(kinds, fc.uint8Array({ maxLength: 40 }), (kind, rest) => {
        const { decoder } = decoderOfItems();
        try {
          expect(decoder.decode(Buffer.from([kind, ...rest]))).toHaveProperty('kind');
        } catch (error) {
          expect(error).toBeInstanceOf(SourceFailure);
        }
      }),
    );
  });
});
