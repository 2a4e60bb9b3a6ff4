import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openBody } from '../../../client/transport/open-body.ts';
import type { Chunks } from '../../../client/transport/chunks.ts';

test('a body that is aborted while a chunk is produced releases the source of the chunk', async () => {
  let open = 0;
  function* chunks(): Chunks {
    open += 1;
    try {
      yield Promise.resolve();
      breakOff();
      yield Buffer.from('never sent');
    } finally {
      open -= 1;
    }
  }
  const notified: number[] = [];
  const { body } = openBody(
    { kind: 'stream', open: chunks },
    {
      onActivity: () => {},
      onChunk: (bytes) => notified.push(bytes),
    },
  );
  if (!(body instanceof Readable)) throw new Error('no stream');
  const breakOff = (): void => void body.destroy(new Error('broken off'));
  await expect(body.toArray()).rejects.toThrow('broken off');
  expect({ open, notified }).toEqual({ open: 0, notified: [] });
});
