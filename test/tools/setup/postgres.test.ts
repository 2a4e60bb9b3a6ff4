import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { findPostgres, providePostgres } from '../../../tools/setup/postgres-server.ts';

function emptyFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    path: [join(folder, 'path')],
    installed: join(folder, 'installed'),
    unpacked: join(folder, 'unpacked'),
  };
}

function write(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
}

test('of the installed versions with a server, the newest is used', () => {
  const search = emptyFolders();
  for (const version of ['9', '15'])
    for (const program of ['initdb', 'postgres']) write(join(search.installed, version, 'bin', program));
  write(join(search.installed, '16', 'bin', 'psql'));
  expect(findPostgres(search)).toEqual({ folder: join(search.installed, '15', 'bin'), libraries: [] });
});

test('a server in PATH comes first, and a client in PATH is not one', () => {
  const search = emptyFolders();
  const [inPath = ''] = search.path;
  for (const program of ['initdb', 'postgres']) write(join(search.installed, '15', 'bin', program));
  write(join(inPath, 'psql'));
  expect(findPostgres(search)).toEqual({ folder: join(search.installed, '15', 'bin'), libraries: [] });
  for (const program of ['initdb', 'postgres']) write(join(inPath, program));
  expect(findPostgres(search)).toEqual({ folder: inPath, libraries: [] });
});

test('without an installed one, the unpacked one is used with its libraries', () => {
  const search = emptyFolders();
  const home = join(search.unpacked, 'server');
  for (const program of ['initdb', 'postgres']) write(join(home, 'usr/lib/postgresql/15/bin', program));
  expect(findPostgres(search)).toBe('npm run setup provides it');
  write(join(home, 'server.json'));
  expect(findPostgres(search)).toEqual({
    folder: join(home, 'usr/lib/postgresql/15/bin'),
    libraries: [join(home, 'usr/lib')],
    home,
  });
});

test('where no package can be fetched, the reason is kept for the title of the skipped tests', async () => {
  const search = emptyFolders();
  await providePostgres(search, { environment: { PATH: '' }, logger: silentLogger });
  expect(findPostgres(search)).toBe('this machine has no apt-get');
});
