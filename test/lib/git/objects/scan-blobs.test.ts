import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { blobDigests } from '../../../../flows/project/project-files.ts';
import { openRepository } from '../../../../lib/git/repository.ts';
import { temporaryRepository } from '../temporary-repository.ts';

async function withBlobs(contents: readonly Buffer[]) {
  const repo = temporaryRepository();
  for (const [i, content] of contents.entries()) repo.write(`${String(i).padStart(4, '0')}.sql`, content);
  const commit = repo.commit('first');
  const opened = await openRepository(repo.directory);
  const oids = (await opened.listTree(commit)).map(({ oid }) => oid);
  return { repo, commit, opened, oids };
}

describe('scanning blobs', () => {
  test('each comes whole and in the order asked, an empty one, one asked for twice and a large one too', async () => {
    const small = Array.from({ length: 300 }, (_, i) => Buffer.from(`-- ${i}\n`.repeat(i * 11)));
    const contents = [...small, Buffer.alloc(3_000_000, 'abc\n'), Buffer.from('last')];
    const { repo, opened, oids } = await withBlobs(contents);
    using _ = repo;
    const asked = [...oids, oids[7] ?? ''];
    const got = new Map<number, { text: string; bytes: number }>();
    const order: number[] = [];
    await opened.scanBlobs(asked, (nth, chunk, bytes) => {
      if (order.at(-1) !== nth) order.push(nth);
      got.set(nth, { text: (got.get(nth)?.text ?? '') + chunk.toString('latin1'), bytes });
    });
    expect(order).toEqual(asked.map((__, nth) => nth));
    const wanted = [...contents, contents[7] ?? Buffer.alloc(0)];
    for (const [nth, content] of wanted.entries())
      expect(got.get(nth)).toEqual({ text: content.toString('latin1'), bytes: content.length });
  });

  test('each has the digest of its content, in one chunk or in many', async () => {
    const contents = [1, 0, 100_000, 5, 70_000, 70_001].map((bytes, i) => Buffer.alloc(bytes, `${i}!`));
    const { repo, opened, oids } = await withBlobs(contents);
    using _ = repo;
    const digests: { bytes: number; sha256: string }[] = [];
    await opened.scanBlobs(
      oids,
      blobDigests((nth, digest) => {
        digests[nth] = digest;
      }),
    );
    expect(digests).toEqual(
      contents.map((content) => ({
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    );
  });

  test.each([
    ['a missing object', () => '0'.repeat(40), 'not in this repository'],
    ['a commit', (commit: string) => commit, 'it is a commit, not a file'],
    ['a name that is not an id', () => 'main:0000.sql', 'this is not the id of an object'],
  ])('%s is refused', async (_, name, reason) => {
    const { repo, commit, opened, oids } = await withBlobs([Buffer.from('kept')]);
    using held = repo;
    expect(held.directory).toBe(opened.root);
    const scanning = opened.scanBlobs([oids[0] ?? '', name(commit)], () => {});
    await expect(scanning).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining(reason) as string,
    });
  });

  test('it ends with what the visitor throws, and with the reason of a cancel', async () => {
    const { repo, opened, oids } = await withBlobs([Buffer.alloc(20_000_000, 'abc\n')]);
    using _ = repo;
    const throwing = opened.scanBlobs(oids, () => {
      throw new Error('seen enough');
    });
    await expect(throwing).rejects.toThrow('seen enough');
    const controller = new AbortController();
    let seen = 0;
    const cancelled = opened.scanBlobs(
      oids,
      (__, chunk) => {
        seen += chunk.length;
        controller.abort(new Error('the user said stop'));
      },
      { signal: controller.signal },
    );
    await expect(cancelled).rejects.toThrow('the user said stop');
    expect(seen).toBeLessThan(20_000_000);
  });

  test('a git that cannot be started is said', async () => {
    const { repo, oids } = await withBlobs([Buffer.from('x')]);
    using _ = repo;
    const environment: Record<string, string | undefined> = { ...process.env };
    const opened = await openRepository(repo.directory, { environment });
    const { scanBlobs } = await import('../../../../lib/git/objects/scan-blobs.ts');
    const place = { directory: opened.root, safeDirectory: opened.root, environment: { PATH: '/nowhere' } };
    await expect(scanBlobs(place, oids, () => {}, undefined)).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('could not be started') as string,
    });
  });
});
