import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openBody } from '../../client/open-body.ts';
import type { Pieces } from '../../client/pieces.ts';

test('a body that is broken off while a piece is being made lets go of what the piece is made from', async () => {
  let open = 0;
  function* pieces(): Pieces {
    open += 1;
    try {
      yield Promise.resolve();
      breakOff();
      yield Buffer.from('never sent');
    } finally {
      open -= 1;
    }
  }
  const told: number[] = [];
  const { body } = openBody(
    { kind: 'stream', open: pieces },
    {
      onMove: () => {},
      onPiece: (bytes) => told.push(bytes),
    },
  );
  if (!(body instanceof Readable)) throw new Error('no stream');
  const breakOff = (): void => void body.destroy(new Error('broken off'));
  await expect(body.toArray()).rejects.toThrow('broken off');
  expect({ open, told }).toEqual({ open: 0, told: [] });
});
