import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { provideServerBinary } from '../../../../lib/redis/server/provide-server-binary.ts';
import { findServerBinary } from '../../../../lib/redis/server/server-binary.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-binary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** A program that says of itself what a server says; `#!/bin/sh` needs nothing from PATH. */
function program(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "Redis server v=${version} sha=00000000:0 bits=64"\n`, {
    mode: 0o755,
  });
  return path;
}

const search = (path: string) => ({ environment: { PATH: path }, unpacked: join(folder, 'store') });

test('Valkey is preferred to Redis, wherever in PATH they are', async () => {
  program(join(folder, 'a', 'redis-server'), '7.2.0');
  const valkey = program(join(folder, 'b', 'valkey-server'), '8.0.1');
  const found = await findServerBinary(search(`${join(folder, 'a')}:${join(folder, 'b')}`));
  expect(found).toEqual({ binary: valkey, libraries: [], version: '8.0.1' });
});

test('a server that is too old is passed over for a newer one further on in PATH', async () => {
  program(join(folder, 'a', 'redis-server'), '5.0.14');
  const newer = program(join(folder, 'b', 'redis-server'), '7.0.15');
  const found = await findServerBinary(search(`${join(folder, 'a')}:${join(folder, 'b')}`));
  expect(found?.binary).toBe(newer);
});

test('where there is none and no apt, the failure names the one command to type', async () => {
  const failure = provideServerBinary({ ...search(join(folder, 'empty')), logger: silentLogger });
  await expect(failure).rejects.toMatchObject({
    code: 'redis-missing',
    hint: expect.stringMatching(/^Run: .* install .*\(or set MILLRACE_REDIS_URL/) as string,
  });
});

// Skipped where the system has no packages of this kind.
describe.skipIf(!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb'))(
  'on a Debian system',
  () => {
    /** A package repository of our own, in a folder: apt and dpkg are the real ones, the network is not needed. */
    function offerPackage(version: string): NodeJS.ProcessEnv {
      const tree = join(folder, 'package');
      program(join(tree, 'usr', 'bin', 'redis-check-rdb'), version);
      mkdirSync(join(tree, 'usr', 'lib', 'x86_64-linux-gnu'), { recursive: true });
      const control = [
        'Package: redis-server',
        `Version: ${version}`,
        'Architecture: all',
        'Maintainer: Nobody <nobody@example.com>',
        'Description: a stand-in',
      ];
      mkdirSync(join(tree, 'DEBIAN'));
      writeFileSync(join(tree, 'DEBIAN', 'control'), `${control.join('\n')}\n`);
      const repository = join(folder, 'repository');
      mkdirSync(repository);
      const file = join(repository, 'redis-server.deb');
      execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, file], { stdio: 'ignore' });
      const [size] = execFileSync('stat', ['-c', '%s', file], { encoding: 'utf8' }).split('\n');
      const [sum] = execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ');
      writeFileSync(
        join(repository, 'Packages'),
        `${[...control, 'Filename: ./redis-server.deb', `Size: ${size}`, `SHA256: ${sum}`].join('\n')}\n`,
      );
      mkdirSync(join(folder, 'system-lists', 'partial'), { recursive: true });
      writeFileSync(join(folder, 'sources.list'), `deb [trusted=yes] copy:${repository} ./\n`);
      const settings = [
        `Dir::Etc::sourcelist "${join(folder, 'sources.list')}";`,
        'Dir::Etc::sourceparts "/dev/null";',
        // Empty, as on a fresh container image: the lists must be read first.
        `Dir::State::lists "${join(folder, 'system-lists')}";`,
      ];
      writeFileSync(join(folder, 'apt.conf'), `${settings.join('\n')}\n`);
      return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', APT_CONFIG: join(folder, 'apt.conf') };
    }

    test('the package is fetched and unpacked into the folder, and nothing else changes', async () => {
      const environment = offerPackage('7.9.9');
      // The machine may have a server of its own in PATH, which would be taken first.
      environment['PATH'] = toolsOnly(folder);
      const unpacked = join(folder, 'store');
      const server = await provideServerBinary({ environment, unpacked, logger: silentLogger });
      expect(server).toMatchObject({
        version: '7.9.9',
        binary: join(unpacked, 'server', 'usr/bin/redis-server'),
      });
      expect(server.libraries).toContain(join(unpacked, 'server', 'usr/lib/x86_64-linux-gnu'));
      expect(readdirSync(unpacked)).toEqual(['server']);
      expect(readdirSync(join(folder, 'system-lists'))).toEqual(['partial']);
      expect(await findServerBinary({ environment, unpacked })).toEqual(server);
    });

    test('a package that is too old is not used', async () => {
      const environment = { ...offerPackage('5.0.0'), PATH: toolsOnly(folder) };
      const asked = provideServerBinary({
        environment,
        unpacked: join(folder, 'store'),
        logger: silentLogger,
      });
      await expect(asked).rejects.toMatchObject({
        code: 'redis-missing',
        message: expect.stringContaining('too old'),
      });
    });
  },
);

/** A PATH with the system's programs, less any Redis or Valkey. */
function toolsOnly(place: string): string {
  const tools = join(place, 'tools');
  mkdirSync(tools, { recursive: true });
  for (const name of readdirSync('/usr/bin')) {
    if (/^(redis|valkey)-/.test(name)) continue;
    execLink(join('/usr/bin', name), join(tools, name));
  }
  return tools;
}

function execLink(from: string, to: string): void {
  writeFileSync(to, `#!/bin/sh\nexec "${from}" "$@"\n`, { mode: 0o755 });
}
