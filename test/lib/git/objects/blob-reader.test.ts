import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { temporaryRepository } from '../temporary-repository.ts';

const ofSize = (bytes: number) => Buffer.alloc(bytes, 'abc\n');

async function withBlobs(contents: readonly Buffer[]) {
  const repo = temporaryRepository();
  for (const [i, content] of contents.entries()) repo.write(`${i}.sql`, content);
  const commit = contents.length === 0 ? '' : repo.commit('first');
  const opened = await openRepository(repo.directory);
  const oids = contents.map((_, i) => repo.git('rev-parse', `${commit}:${i}.sql`));
  return { repo, commit, opened, oids };
}

async function lengthOf(stream: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of stream) length += chunk.length;
  return length;
}

describe('reading blobs with one process', () => {
  test('a large blob is read in chunks and is complete', async () => {
    const { repo, opened, oids } = await withBlobs([ofSize(5_000_000)]);
    using _ = repo;
    await using reader = opened.openBlobReader();
    const chunks: Buffer[] = [];
    for await (const chunk of reader.stream(oids[0] ?? '')) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).equals(ofSize(5_000_000))).toBe(true);
  });

  test('a stream that ends early does not affect the next one', async () => {
    const { repo, opened, oids } = await withBlobs([ofSize(3_000_000), Buffer.from('second')]);
    using _ = repo;
    await using reader = opened.openBlobReader();
    for await (const chunk of reader.stream(oids[0] ?? '')) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await reader.read(oids[1] ?? '')).toString()).toBe('second');
  });

  test('concurrent reads are answered one after the other', async () => {
    const { repo, opened, oids } = await withBlobs([ofSize(300_000), ofSize(10), ofSize(200_000)]);
    using _ = repo;
    await using reader = opened.openBlobReader();
    const lengths = await Promise.all(oids.map(async (oid) => lengthOf(reader.stream(oid))));
    expect(lengths).toEqual([300_000, 10, 200_000]);
  });

  test('a missing object, a tree and an invalid id are rejected, and the reader continues', async () => {
    const { repo, commit, opened, oids } = await withBlobs([Buffer.from('kept')]);
    using _ = repo;
    await using reader = opened.openBlobReader();
    await expect(reader.read('0'.repeat(40))).rejects.toThrow('not in this repository');
    await expect(reader.read(commit)).rejects.toThrow('it is a commit, not a file');
    await expect(reader.read('main:0.sql')).rejects.toThrow('this is not the id of an object');
    await expect(reader.read(oids[0] ?? '', 3)).rejects.toThrow('4 bytes, more than the limit of 3');
    expect((await reader.read(oids[0] ?? '')).toString()).toBe('kept');
  });

  test('a cancellation ends a stream with its reason', async () => {
    const { repo, opened, oids } = await withBlobs([ofSize(20_000_000)]);
    using _ = repo;
    const controller = new AbortController();
    await using reader = opened.openBlobReader({ signal: controller.signal });
    const reading = (async () => {
      for await (const chunk of reader.stream(oids[0] ?? '')) {
        if (chunk.length > 0) controller.abort(new Error('the user said stop'));
      }
    })();
    await expect(reading).rejects.toThrow('the user said stop');
  });

  test('a closed reader fails because git has ended', async () => {
    const { repo, opened, oids } = await withBlobs([Buffer.from('x')]);
    using _ = repo;
    const reader = opened.openBlobReader();
    await reader.close();
    await expect(reader.read(oids[0] ?? '')).rejects.toEqual(expect.objectContaining({ code: 'git-failed' }));
  });
});
