import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/**
 * Reads the files of a git repository. Starting git from a test's process takes 5 ms of CPU, most of it to copy the
 * process, and the stand-in for GitHub reads refs and small objects for every request.
 */
export interface GitFiles {
  /** Whether these files have the refs with this name or prefix. If not, git must be asked. */
  canRead(name: string): boolean;
  /** The id that a ref points at: 40 hexadecimal digits. Symbolic refs are followed. */
  ref(name: string): string | undefined;
  /** The full name of the branch that HEAD points at. */
  head(): string | undefined;
  /** The ref with this name and those under it, in git's order. */
  refs(prefix: string): readonly { readonly ref: string; readonly sha: string }[];
  /** An object that is in a file of its own, as all of a small push are. */
  object(sha: string): GitObject | undefined;
}

export interface GitObject {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Opens a repository to read its files.
 * @param directory the bare repository or the `.git` folder
 */
export function openGitFiles(directory: string): GitFiles {
  function packedRefs(): ReadonlyMap<string, string> {
    const lines = read(join(directory, 'packed-refs'))?.toString('utf8').split('\n') ?? [];
    return new Map(
      lines.flatMap((line) => {
        const [, sha, name] = /^([0-9a-f]{40}) (\S+)$/u.exec(line) ?? [];
        return sha === undefined || name === undefined ? [] : [[name, sha]];
      }),
    );
  }
  function resolve(name: string, packed: () => ReadonlyMap<string, string>): string | undefined {
    const text = read(join(directory, name))?.toString('utf8').trim();
    const [, target] = /^ref: (\S+)$/u.exec(text ?? '') ?? [];
    return target === undefined ? (text ?? packed().get(name)) : resolve(target, packed);
  }
  return {
    canRead: (name) =>
      /^refs(?:\/[\w-]+(?:\.[\w-]+)*)*$/u.test(name) && !existsSync(join(directory, 'reftable')),
    ref: (name) => resolve(name, packedRefs),
    head: () => /^ref: (\S+)$/mu.exec(read(join(directory, 'HEAD'))?.toString('utf8') ?? '')?.[1],
    refs(prefix) {
      const packed = packedRefs();
      const under = [...packed.keys()].filter((name) => name === prefix || name.startsWith(`${prefix}/`));
      const names = new Set([...under, ...filesUnder(directory, prefix)]);
      return [...names].toSorted().flatMap((ref) => {
        const sha = resolve(ref, () => packed);
        return sha === undefined ? [] : [{ ref, sha }];
      });
    },
    object(sha) {
      const packed = read(join(directory, 'objects', sha.slice(0, 2), sha.slice(2)));
      if (packed === undefined) return undefined;
      const whole = inflateSync(packed);
      const end = whole.indexOf(0);
      const [type = ''] = whole.subarray(0, end).toString('latin1').split(' ');
      return { type, body: whole.subarray(end + 1) };
    },
  };
}

/** A file or folder of a tree. */
export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly sha: string;
}

/** The entries of a tree. */
export function entriesOf(tree: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < tree.length;) {
    const end = tree.indexOf(0, start);
    const [, mode = '', name = ''] = /^(\d+) (.*)$/su.exec(tree.toString('utf8', start, end)) ?? [];
    entries.push({ mode, name, sha: tree.toString('hex', end + 1, end + 21) });
    start = end + 21;
  }
  return entries;
}

/** The tree of a commit. */
export function treeOf(commit: Buffer): string | undefined {
  return /^tree ([0-9a-f]{40})$/mu.exec(commit.toString('utf8'))?.[1];
}

function filesUnder(directory: string, prefix: string): readonly string[] {
  const path = join(directory, prefix);
  if (read(path) !== undefined) return [prefix];
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

/** The content of a file; undefined if there is none, or a folder. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(code)) return undefined;
    throw error;
  }
}
