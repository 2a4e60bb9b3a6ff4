import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asStream } from '../../client/pieces.ts';
import { readInPieces } from '../../client/read-in-pieces.ts';

const pieceBytes = 768 * 1024;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-pieces-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Clocks on which each reading takes as long as the title says. */
const paces: Record<string, () => () => number> = {
  quick: () => () => 0,
  slow: () => {
    let now = 0;
    return () => (now += 10);
  },
  'quick at first and then slow': () => {
    let now = 0;
    let looks = 0;
    return () => {
      looks += 1;
      return (now += looks > 6 ? 10 : 0);
    };
  },
};

test.each(Object.entries(paces))('a file comes whole and in order where the disk is %s', async (_, pace) => {
  for (const bytes of [0, 1, pieceBytes, 6 * pieceBytes - 1, 9 * pieceBytes + 7]) {
    const content = randomBytes(bytes);
    const file = path.join(folder, 'file');
    await writeFile(file, content);
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of asStream(readInPieces(file, pace()))) {
      // Whoever sends may take their time.
      await new Promise(setImmediate);
      hash.update(piece);
      read += piece.length;
    }
    expect(read).toBe(bytes);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  }
});

test.each(Object.entries(paces))(
  'who stops in the middle leaves no file open, where the disk is %s',
  async (_, pace) => {
    const file = path.join(folder, 'left');
    await writeFile(file, randomBytes(5 * pieceBytes));
    for (let time = 0; time < 3; time += 1) {
      const reading = asStream(readInPieces(file, pace()));
      expect((await reading.next()).value?.length).toBe(pieceBytes);
      await appendFile(file, 'more');
      await reading.return(undefined);
    }
    // A file is closed when the reading of it that is under way has ended.
    await expect.poll(openFiles).not.toContain(file);
  },
);

test('what cannot be read is thrown, and closed', async () => {
  const reading = asStream(readInPieces(folder));
  await expect(reading.next()).rejects.toThrow('EISDIR');
  await expect.poll(openFiles).not.toContain(folder);
});

test('a reading that is given up while its file is being opened lets the file go', async () => {
  const file = path.join(folder, 'given-up');
  await writeFile(file, 'x');
  const readings = Array.from({ length: 10 }, () => readInPieces(file));
  const opened = readings.map((reading) => reading.next().value);
  for (const reading of readings) reading.return();
  for (const opening of opened) await opening;
  await expect.poll(openFiles).not.toContain(file);
});

async function openFiles(): Promise<string[]> {
  const open = await readdir('/proc/self/fd').catch(() => []);
  return Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
}
