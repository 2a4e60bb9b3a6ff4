import { symlinkSync } from 'node:fs';
import nodePath from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BlobScan, contentCheck, refuseEntry, refuseFiles } from '../../../lib/git/refuse-files.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { temporaryRepository } from './temporary-repository.ts';

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';

describe('refusal by the file name', () => {
  test.each([
    ['data/all.zip', 'an archive'],
    ['data/all.TAR.GZ', 'an archive'],
    ['lib/driver.jar', 'an archive'],
    ['connector-profile:custom-1f.json', 'a connector file'],
    ['finance/connector-profile:flex-1f.json', 'a connector file'],
    ['bro\uFFFDken.sql', 'name is not UTF-8'],
  ])('%s is %s', (path, reason) => {
    expect(refuseEntry({ path, mode: '100644', type: 'blob' })).toContain(reason);
  });

  test.each(['a.sql', 'zip.py', 'archive.zip.sql', 'connector-profile.json', 'gz'])(
    '%s is accepted',
    (path) => {
      expect(refuseEntry({ path, mode: '100755', type: 'blob' })).toBeUndefined();
    },
  );
});

function reasonOf(chunks: readonly Buffer[]): string | undefined {
  const check = contentCheck();
  return [...chunks, undefined].map(check).at(-1);
}

describe('refusal by content', () => {
  test('a Git LFS pointer is recognised even in small chunks', () => {
    expect(reasonOf(Array.from(pointer, (letter) => Buffer.from(letter)))).toContain('Git LFS pointer');
    expect(reasonOf([Buffer.from(`-- ${pointer}`)])).toBeUndefined();
  });

  test('a NUL far after the start still makes a file binary', () => {
    expect(reasonOf([Buffer.alloc(100_000, 'a'), Buffer.from('b\0')])).toBe('a binary file');
    expect(reasonOf([Buffer.from('größe')])).toBeUndefined();
    expect(reasonOf([])).toBeUndefined();
  });

  test('bytes that are not UTF-8 are refused with the first of them, also over chunks and at the end', () => {
    const letter = Buffer.from('ö');
    expect(reasonOf([Buffer.from('gr'), letter.subarray(0, 1), letter.subarray(1)])).toBeUndefined();
    expect(reasonOf([Buffer.from('größe', 'latin1'), Buffer.from('b')])).toBe('not UTF-8 at byte 3');
    expect(reasonOf([Buffer.from('größe'), letter.subarray(0, 1)])).toBe('not UTF-8 at byte 8');
    expect(reasonOf([Buffer.from('\uFEFFa', 'utf16le')])).toBe('UTF-16, not UTF-8');
  });
});

test('one failure names all refused files of a commit, and only these', async () => {
  using repo = temporaryRepository();
  using inner = temporaryRepository();
  repo.write('good.sql', 'select 1');
  repo.write('pointer.sql', pointer);
  repo.write('binary.py', Buffer.from([1, 0, 2]));
  repo.write('cut.sql', Buffer.from('-- é').subarray(0, -1));
  repo.write('latin.sql', Buffer.from('-- é', 'latin1'));
  repo.write('a\u001b[31m.zip', 'x');
  symlinkSync('/etc/passwd', nodePath.join(repo.directory, 'link.sql'));
  repo.commit('first');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${inner.commit('inner')},module`);
  repo.git('commit', '-q', '-m', 'module');
  const opened = await openRepository(repo.directory);
  const scan: BlobScan = (oids, visit) => opened.scanBlobs(oids, visit);
  await expect(refuseFiles(await opened.listTree('HEAD'), scan)).rejects.toMatchObject({
    code: 'file-refused',
    exitCode: 2,
    where: { file: 'a?[31m.zip' },
    message:
      '7 files cannot be part of an artifact: a?[31m.zip is an archive (spec §4.3); binary.py is a binary file; ' +
      'cut.sql is not UTF-8 at byte 4; latin.sql is not UTF-8 at byte 4; link.sql is a symbolic link; module is a submodule; pointer.sql is a Git LFS pointer, not the file itself.',
  });
  const good = await opened.listTree('HEAD', { under: 'good.sql' });
  await expect(refuseFiles(good, scan)).resolves.toBeUndefined();
});
