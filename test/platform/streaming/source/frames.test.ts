import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameReader } from '../../../../platform/streaming/source/frames.ts';

function frame(kind: number, content: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header[0] = kind;
  header.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([header, content]);
}

test('messages come out whole wherever the chunks end, and their bytes do not change later', () => {
  const message = fc.tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 30 }));
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 20 })),
      (expected, sizes) => {
        const found: [number, Buffer][] = [];
        const reader = createFrameReader((kind, bytes, start, end) =>
          found.push([kind, bytes.subarray(start, end)]),
        );
        const bytes = Buffer.concat(expected.map(([kind, content]) => frame(kind, content)));
        let offset = 0;
        for (const size of [...sizes, bytes.length]) {
          if (offset < bytes.length) reader.read(Buffer.from(bytes.subarray(offset, offset + size)));
          offset += size;
        }
        expect(found.map(([kind, content]) => [kind, [...content]])).toEqual(
          expected.map(([kind, content]) => [kind, [...content]]),
        );
      },
    ),
  );
});

test('a large message is joined once, not again for each chunk', () => {
  const content = Buffer.alloc(8_000_000, 7);
  let length = 0;
  const reader = createFrameReader((_, __, start, end) => (length = end - start));
  const bytes = frame(1, content);
  for (let offset = 0; offset < bytes.length; offset += 1000)
    reader.read(bytes.subarray(offset, offset + 1000));
  expect(length).toBe(content.length);
});

test.each([0, 3, 0x7f_ff_ff_ff, 0xff_ff_ff_ff])('a length of %d is refused', (length) => {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(length, 1);
  expect(() => createFrameReader(() => {}).read(bytes)).toThrow(`a message of ${length} bytes`);
});
