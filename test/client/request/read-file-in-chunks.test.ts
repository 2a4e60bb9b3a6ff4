import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asStream } from '../../../client/transport/chunks.ts';
import { readFileInChunks } from '../../../client/request/read-file-in-chunks.ts';

const chunkBytes = 768 * 1024;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-chunks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Duration of each read in milliseconds, by the title of the case. */
const readTimes: Record<string, () => () => number> = {
  quick: () => () => 0,
  slow: () => {
    let now = 0;
    return () => (now += 10);
  },
  'quick at first and then slow': () => {
    let now = 0;
    let readBacks = 0;
    return () => {
      readBacks += 1;
      return (now += readBacks > 6 ? 10 : 0);
    };
  },
};

test.each(Object.entries(readTimes))(
  'a file is read completely and in order where the disk is %s',
  async (_, readTime) => {
    for (const bytes of [0, 1, chunkBytes, 6 * chunkBytes - 1, 9 * chunkBytes + 7]) {
      const content = randomBytes(bytes);
      const file = path.join(folder, 'file');
      await writeFile(file, content);
      const hash = createHash('sha256');
      let read = 0;
      for await (const chunk of asStream(readFileInChunks(file, readTime()))) {
        // A slow consumer must not change the result.
        await new Promise(setImmediate);
        hash.update(chunk);
        read += chunk.length;
      }
      expect(read).toBe(bytes);
      expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    }
  },
);

test.each(Object.entries(readTimes))(
  'a consumer that stops early leaves no file open, where the disk is %s',
  async (_, readTime) => {
    const file = path.join(folder, 'left');
    await writeFile(file, randomBytes(5 * chunkBytes));
    for (let time = 0; time < 3; time += 1) {
      const reading = asStream(readFileInChunks(file, readTime()));
      expect((await reading.next()).value?.length).toBe(chunkBytes);
      await appendFile(file, 'more');
      await reading.return(undefined);
    }
    // The file is closed when the active read has ended.
    await expect.poll(openFiles).not.toContain(file);
  },
);

test('a read error is thrown, and the file is closed', async () => {
  const reading = asStream(readFileInChunks(folder));
  await expect(reading.next()).rejects.toThrow('EISDIR');
  await expect.poll(openFiles).not.toContain(folder);
});

test('a consumer that stops while the file is being opened leaves no file open', async () => {
  const file = path.join(folder, 'given-up');
  await writeFile(file, 'x');
  const readings = Array.from({ length: 10 }, () => readFileInChunks(file));
  const opened = readings.map((reading) => reading.next().value);
  for (const reading of readings) reading.return();
  for (const opening of opened) await opening;
  await expect.poll(openFiles).not.toContain(file);
});

async function openFiles(): Promise<string[]> {
  const open = await readdir('/proc/self/fd').catch(() => []);
  return Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
}
