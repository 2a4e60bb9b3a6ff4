import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { store } from './clone.mjs';
import { log } from './log.mjs';
import { SetupError } from './setup-error.mjs';

/** The servers that the tests of the worker run on: the package and release of Debian, or the image, that has each. */
export const redisServers = {
  'redis-7.0': { program: 'redis', suite: 'bookworm', image: 'redis:7.0-bookworm', version: /\bv=7\.0\./ },
  'redis-8.0': { program: 'redis', suite: 'trixie', image: 'redis:8.0-bookworm', version: /\bv=8\.0\./ },
  'valkey-8.1': {
    program: 'valkey',
    suite: 'trixie',
    image: 'valkey/valkey:8.1-bookworm',
    version: /\bv=8\.1\./,
  },
};

/** What the programs of the packages load, beside themselves. */
const libraries =
  'libc6 libssl3 libssl3t64 libjemalloc2 liblua5.1-0 libsystemd0 libatomic1 liblzf1 lua-cjson lua-bitop libhiredis0.14 libhiredis1.1.0 libcap2 libgcrypt20 liblz4-1 liblzma5 libgpg-error0 libgcc-s1 libstdc++6 libzstd1 zlib1g'.split(
    ' ',
  );

/**
 * Provides a server in a folder of its own, and resolves to that folder, for PATH. Nothing is installed: it takes Debian's
 * package, or copies the program from an image where the machine is not Debian.
 */
export async function provideRedisServer(name) {
  const server = redisServers[name];
  const home = join(store, 'redis-servers', name);
  const bin = join(home, 'bin');
  if (!existsSync(bin)) {
    const part = `${home}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(join(part, 'bin'), { recursive: true });
    log(`fetching ${name}`);
    const problems = [await fromPackages(server, part, home)];
    if (problems[0] !== undefined) problems.push(await fromImage(server, part, home));
    const problem = problems.includes(undefined) ? undefined : problems.join('; ');
    if (problem) throw new SetupError(`${name} could not be fetched: ${problem}`);
    renameSync(part, home);
  }
  const { stdout } = await runQuietly(join(bin, 'redis-server'), ['--version']);
  if (!server.version.test(stdout)) {
    rmSync(home, { recursive: true, force: true });
    throw new SetupError(`${name} is another version: ${stdout.trim() || 'it does not start'}`);
  }
  return { bin, version: /\bv=(\S+)/.exec(stdout)?.[1] ?? '' };
}

/** Resolves to the problem, or undefined. */
async function fromPackages({ program, suite }, part, home) {
  const sources = debianSources();
  if (sources === undefined) return 'this machine is not Debian';
  const apt = join(part, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true });
  writeFileSync(
    join(apt, 'sources.list'),
    `deb [signed-by=${sources.key}] ${sources.mirror} ${suite} main\n`,
  );
  writeFileSync(join(apt, 'status'), '');
  const options = {
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(apt, 'lists'),
    // Not the packages of this machine.
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Debug::NoLocking': 'true',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
  };
  const args = Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const aptGet = (...words) => runQuietly('apt-get', [...args, ...words], { cwd: apt });
  const update = await aptGet('update', '-qq');
  if (update.code !== 0) return update.stderr.trim().split('\n').at(-1);
  const names = [`${program}-server`, `${program}-tools`];
  const known = await runQuietly('apt-cache', [...args, 'pkgnames'], { cwd: apt });
  const all = new Set(known.stdout.split('\n'));
  const fetched = await aptGet('download', '-qq', ...names, ...libraries.filter((one) => all.has(one)));
  if (fetched.code !== 0) return fetched.stderr.trim().split('\n').at(-1);
  const root = join(part, 'root');
  for (const file of readdirSync(apt).filter((one) => one.endsWith('.deb'))) {
    const { code, stderr } = await runQuietly('dpkg-deb', ['-x', join(apt, file), root]);
    if (code !== 0) return stderr.trim();
  }
  rmSync(apt, { recursive: true, force: true });
  // The newer programs need the C library of their own release, and its loader. One program has several names.
  const lib = join(home, 'root', 'usr/lib/x86_64-linux-gnu');
  const old = join(home, 'root', 'lib/x86_64-linux-gnu');
  const loader = existsSync(join(root, 'usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2')) ? lib : old;
  wrap(part, [
    `exec ${join(loader, 'ld-linux-x86-64.so.2')} --argv0 redis-server --library-path ${lib}:${old} ${join(home, 'root/usr/bin', `${program}-check-rdb`)} "$@"`,
  ]);
  return undefined;
}

/** Debian's mirror and key on this machine; undefined on another system. */
function debianSources() {
  const file = '/etc/apt/sources.list.d/debian.sources';
  if (process.arch !== 'x64' || !existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const mirror = /^URIs: (\S+)/m.exec(text)?.[1];
  const key = /^Signed-By: (\S+)/m.exec(text)?.[1];
  return mirror === undefined || key === undefined ? undefined : { mirror, key };
}

async function fromImage({ program, image }, part, home) {
  for (const engine of ['docker', 'podman']) {
    const created = await runQuietly(engine, ['create', image]).catch(() => undefined);
    if (created?.code !== 0) continue;
    const container = created.stdout.trim();
    const copied = await runQuietly(engine, [
      'cp',
      `${container}:/usr/local/bin/${program}-server`,
      join(part, 'server'),
    ]);
    await runQuietly(engine, ['rm', container]);
    if (copied.code !== 0) return copied.stderr.trim();
    wrap(part, [`exec -a redis-server ${join(home, 'server')} "$@"`]);
    return undefined;
  }
  return `it needs Debian on x64, or docker or podman with the image ${image}`;
}

/** Under both names: what looks for a server looks for Valkey first. */
function wrap(part, lines) {
  for (const name of ['redis-server', 'valkey-server']) {
    const file = join(part, 'bin', name);
    writeFileSync(file, ['#!/bin/bash', ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
  }
}
