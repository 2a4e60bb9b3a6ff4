import { createHash } from 'node:crypto';
import {
  appendFileSync,
  type BigIntStats,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/**
 * Makes a repository and its commits as the files that git makes of them, byte for byte but for the index, which git
 * completes when it reads it. For each of these commits git would start two processes, and tests make thousands.
 */
export interface PlainRepository {
  /**
   * Does what `git add -A` and `git commit --allow-empty` do, and gives the commit's id. Undefined, and nothing is
   * done, where only git knows what that is: anything was configured, ignored, marked or begun, or is no plain file.
   */
  commit(message: string): string | undefined;
}

interface WorkFile {
  /** From the folder of the repository, with slashes. */
  readonly name: string;
  readonly stat: BigIntStats;
  readonly executable: boolean;
  sha: string;
}

const config = ['repositoryformatversion = 0', 'filemode = true', 'bare = false', 'logallrefupdates = true'];
const configText = `[core]\n\t${config.join('\n\t')}\n`;
/** What is in the folder of a repository in which nothing but plain commits was done. */
const usual = new Set(['COMMIT_EDITMSG', 'HEAD', 'config', 'index', 'logs', 'objects', 'refs']);
/** Names that change what git takes, or how. */
const special = /^\.git(?:ignore|attributes|modules)?$/iu;
const ownVariables = /^GIT_(?:ALTERNATE|AUTHOR|COMMITTER|DIR|INDEX|OBJECT|WORK)/u;
/** More than these are quicker with git. */
const mostFiles = 300;
const noCommit = '0'.repeat(40);

/** @param identity `Ada <ada@example.com>` */
export function initPlainRepository(directory: string, identity: string): PlainRepository {
  const home = path.join(directory, '.git');
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(path.join(home, folder), { recursive: true });
  writeFileSync(path.join(home, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(home, 'config'), configText);

  function writeObject(type: string, body: Buffer): string {
    const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const sha = createHash('sha1').update(whole).digest('hex');
    const file = path.join(home, 'objects', sha.slice(0, 2), sha.slice(2));
    if (!existsSync(file)) writeWhole(file, deflateSync(whole, { level: 1 }), 0o444);
    return sha;
  }

  function writeTree(files: readonly WorkFile[], prefix: string): string {
    const entries = [
      ...Map.groupBy(files, ({ name }) => name.slice(prefix.length).split('/', 1)[0] ?? ''),
    ].map(([name, inside]) => {
      const [first] = inside;
      return first?.name === prefix + name
        ? { key: name, name, mode: first.executable ? '100755' : '100644', sha: first.sha }
        : { key: `${name}/`, name, mode: '40000', sha: writeTree(inside, `${prefix}${name}/`) };
    });
    const inOrder = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    const parts = inOrder.flatMap(({ mode, name, sha }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(sha, 'hex'),
    ]);
    return writeObject('tree', Buffer.concat(parts));
  }

  /** The branch, if nothing was done that only git knows. */
  function plainBranch(): string | undefined {
    if (Object.keys(process.env).some((name) => ownVariables.test(name))) return undefined;
    if (readdirSync(home).some((name) => !usual.has(name))) return undefined;
    if (readFileSync(path.join(home, 'config'), 'utf8') !== configText) return undefined;
    if (!isPlainIndex(readOptional(path.join(home, 'index')))) return undefined;
    return /^ref: (refs\/heads\/[\w/-]+)\n$/u.exec(readFileSync(path.join(home, 'HEAD'), 'utf8'))?.[1];
  }

  return {
    commit(message) {
      const branch = /^\S(?:.*\S)?$/u.test(message) ? plainBranch() : undefined;
      const files = branch === undefined ? undefined : workFiles(directory);
      if (branch === undefined || files === undefined) return undefined;
      for (const file of files) file.sha = writeObject('blob', readFileSync(path.join(directory, file.name)));
      writeWhole(path.join(home, 'index'), indexOf(files));
      // Of the file system, because a test may have put a clock of its own in place of the machine's.
      const { mtimeMs } = lstatSync(path.join(home, 'index'));
      const when = `${identity} ${Math.floor(mtimeMs / 1000)} ${offsetOf(new Date(mtimeMs))}`;
      const parent = readOptional(path.join(home, branch))?.toString().trim();
      const lines = [
        `tree ${writeTree(files, '')}`,
        ...(parent === undefined ? [] : [`parent ${parent}`]),
        `author ${when}`,
        `committer ${when}`,
      ];
      const sha = writeObject('commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`));
      writeWhole(path.join(home, branch), Buffer.from(`${sha}\n`));
      const kind = parent === undefined ? 'commit (initial)' : 'commit';
      for (const log of ['HEAD', branch]) {
        const file = path.join(home, 'logs', log);
        mkdirSync(path.dirname(file), { recursive: true });
        appendFileSync(file, `${parent ?? noCommit} ${sha} ${when}\t${kind}: ${message}\n`);
      }
      return sha;
    },
  };
}

/** All files in git's order; undefined where one of them is not a plain file, or is special to git. */
function workFiles(directory: string): WorkFile[] | undefined {
  const files: WorkFile[] = [];
  function add(folder: string): boolean {
    const names = readdirSync(path.join(directory, folder)).filter(
      (name) => folder !== '' || name !== '.git',
    );
    return names.every((name) => {
      const inside = folder + name;
      if (special.test(name) || name.includes('\uFFFD') || files.length > mostFiles) return false;
      const stat = lstatSync(path.join(directory, inside), { bigint: true });
      if (stat.isDirectory()) return add(`${inside}/`);
      const executable = (stat.mode & 0o100n) !== 0n;
      if (stat.isFile()) files.push({ name: inside, stat, executable, sha: '' });
      return stat.isFile();
    });
  }
  if (!add('')) return undefined;
  return files.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

/** The index, version 2: gitformat-index(5). */
function indexOf(files: readonly WorkFile[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(files.length, 8);
  const entries = files.map(({ name, stat, executable, sha }) => {
    const nameBytes = Buffer.from(name);
    const entry = Buffer.alloc(sizeOfEntry(nameBytes.length));
    const second = 1_000_000_000n;
    const numbers = [
      stat.ctimeNs / second,
      stat.ctimeNs % second,
      stat.mtimeNs / second,
      stat.mtimeNs % second,
    ];
    numbers.push(stat.dev, stat.ino, executable ? 0o100755n : 0o100644n, stat.uid, stat.gid, stat.size);
    for (const [i, number] of numbers.entries())
      entry.writeUInt32BE(Number(BigInt.asUintN(32, number)), 4 * i);
    entry.write(sha, 40, 'hex');
    entry.writeUInt16BE(Math.min(nameBytes.length, 0xf_ff), 60);
    nameBytes.copy(entry, fixedBytes);
    return entry;
  });
  const whole = Buffer.concat([head, ...entries]);
  return Buffer.concat([whole, createHash('sha1').update(whole).digest()]);
}

/** Whether it says no more than which files there are: `git add -A` then takes what is in the work tree. */
function isPlainIndex(index: Buffer | undefined): boolean {
  if (index === undefined) return true;
  if (index.readUInt32BE(4) !== 2) return false;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flags = index.readUInt16BE(at + 60);
    // No link, no repository inside; nothing assumed, in conflict, or with a name that is longer than the flags can say.
    if (!plainModes.has(index.readUInt32BE(at + 24)) || flags >= 0xf_ff) return false;
    at += sizeOfEntry(flags);
  }
  return true;
}

const plainModes: ReadonlySet<number> = new Set([0o100644, 0o100755]);

/** With one zero at least, to a multiple of eight. */
function sizeOfEntry(nameLength: number): number {
  return Math.floor((fixedBytes + nameLength + 8) / 8) * 8;
}

const fixedBytes = 62;

/** As git writes it: `+0200`. */
function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  const digits = Math.floor(size / 60) * 100 + (size % 60);
  return `${minutes < 0 ? '-' : '+'}${String(digits).padStart(4, '0')}`;
}

/** By a rename, as git does: a reader at the same time finds the whole file or none. */
function writeWhole(file: string, bytes: Buffer, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.lock`, bytes, { mode });
  renameSync(`${file}.lock`, file);
}

function readOptional(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}
