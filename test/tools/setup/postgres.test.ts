import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

function writeServer(folder: string): void {
  for (const program of ['initdb', 'postgres', 'psql']) write(join(folder, program));
}

test('of the installed versions with a server, the newest is used', () => {
  const search = emptyFolders();
  for (const version of ['9', '15']) writeServer(join(search.installed, version, 'bin'));
  write(join(search.installed, '16', 'bin', 'psql'));
  expect(findPostgres(search)).toEqual({ folder: join(search.installed, '15', 'bin'), libraries: [] });
});

test('a server in PATH comes first, also behind links, and a client in PATH is not one', () => {
  const search = emptyFolders();
  const [inPath = ''] = search.path;
  const elsewhere = join(dirname(inPath), 'elsewhere');
  writeServer(join(search.installed, '15', 'bin'));
  write(join(inPath, 'psql'));
  expect(findPostgres(search)).toEqual({ folder: join(search.installed, '15', 'bin'), libraries: [] });
  writeServer(elsewhere);
  symlinkSync(join(elsewhere, 'initdb'), join(inPath, 'initdb'));
  expect(findPostgres(search)).toEqual({ folder: realpathSync(elsewhere), libraries: [] });
});

test('without an installed one, the unpacked one is used with its libraries', () => {
  const search = emptyFolders();
  const home = join(search.unpacked, 'server');
  writeServer(join(home, 'usr/lib/postgresql/15/bin'));
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
