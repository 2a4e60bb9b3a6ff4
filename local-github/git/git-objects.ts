import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { entriesOf, openGitFiles, type TreeEntry, treeOf } from './git-files.ts';

/**
 * Writes refs and objects as the files that git makes of them. A repository of a test is a few small commits, for which
 * git would start three processes each; see `git-files.ts` for what a process costs.
 */
export interface GitObjects {
  /** Writes the tree of a commit (undefined: nothing) with some of its files changed. Gives its id. */
  tree(commit: string | undefined, changes: Readonly<Record<string, string | null>>): string;
  /** Writes a tree with some files changed, from a tree (undefined: an empty one). Gives its id. */
  changeTree(base: string | undefined, changes: Readonly<Record<string, string | null>>): string;
  /** The author and the committer are `octo` by default. */
  commit(of: {
    tree: string;
    parents: readonly string[];
    message: string;
    seconds: number;
    author?: GitPerson | undefined;
    committer?: GitPerson | undefined;
  }): string;
  /** An annotated tag of a commit. */
  tag(of: { commit: string; name: string; message: string; seconds: number }): string;
  /** @param name in full: `refs/heads/main` */
  setRef(name: string, sha: string): void;
}

/** A person in the form in which git names authors and committers. */
export interface GitPerson {
  readonly name: string;
  readonly email: string;
}

type Entry = Omit<TreeEntry, 'name'>;

const folderMode = '40000';
const octo: GitPerson = { name: 'octo', email: 'octo@example.com' };
const signed = ({ name, email }: GitPerson, seconds: number): string =>
  `${name} <${email}> ${String(seconds)} +0000`;

/** Creates an empty bare repository with the default branch `main`. */
export function initBareRepository(directory: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  const settings = ['repositoryformatversion = 0', 'filemode = true', 'bare = true'];
  writeFileSync(join(directory, 'config'), `[core]\n\t${settings.join('\n\t')}\n`);
}

/**
 * Opens a repository to write objects.
 * @param directory the bare repository
 */
export function openGitObjects(directory: string): GitObjects {
  const files = openGitFiles(directory);

  function write(type: string, body: Buffer): string {
    const whole = Buffer.concat([Buffer.from(`${type} ${String(body.length)}\0`), body]);
    const sha = createHash('sha1').update(whole).digest('hex');
    writeWhole(join(directory, 'objects', sha.slice(0, 2), sha.slice(2)), deflateSync(whole, { level: 1 }));
    return sha;
  }

  /** Only git can read an object that is in a pack. */
  function read(type: string, sha: string): Buffer {
    const inFile = files.object(sha)?.body;
    return inFile ?? execFileSync('git', ['--git-dir', directory, 'cat-file', type, sha]);
  }

  /** Undefined if nothing is left. */
  function changedTree(tree: string | undefined, changes: readonly Change[]): string | undefined {
    const entries = new Map<string, Entry>(
      tree === undefined ? [] : entriesOf(read('tree', tree)).map((entry) => [entry.name, entry]),
    );
    for (const [name, inside] of Map.groupBy(changes, ({ path }) => path[0] ?? '')) {
      const whole = inside.find(({ path }) => path.length === 1);
      if (whole !== undefined) entries.delete(name);
      if (typeof whole?.text === 'string')
        entries.set(name, { mode: '100644', sha: write('blob', Buffer.from(whole.text)) });
      const below = inside.filter(({ path }) => path.length > 1);
      if (below.length === 0) continue;
      const existing = entries.get(name);
      const old = existing?.mode === folderMode ? existing.sha : undefined;
      const sha = changedTree(
        old,
        below.map(({ path, text }) => ({ path: path.slice(1), text })),
      );
      if (sha === undefined) entries.delete(name);
      else entries.set(name, { mode: folderMode, sha });
    }
    if (entries.size === 0) return undefined;
    return write('tree', treeBody(entries));
  }

  const changeTree: GitObjects['changeTree'] = (base, changes) => {
    const pathChanges = Object.entries(changes).map(([path, text]) => ({ path: path.split('/'), text }));
    return changedTree(base, pathChanges) ?? write('tree', Buffer.alloc(0));
  };

  return {
    changeTree,
    tree: (commit, changes) =>
      changeTree(commit === undefined ? undefined : treeOf(read('commit', commit)), changes),
    commit({ tree, parents, message, seconds, author = octo, committer = author }) {
      const lines = [
        `tree ${tree}`,
        ...parents.map((parent) => `parent ${parent}`),
        `author ${signed(author, seconds)}`,
        `committer ${signed(committer, seconds)}`,
      ];
      return write('commit', Buffer.from(`${lines.join('\n')}\n\n${message}`));
    },
    tag({ commit, name, message, seconds }) {
      const lines = [`object ${commit}`, 'type commit', `tag ${name}`, `tagger ${signed(octo, seconds)}`];
      return write('tag', Buffer.from(`${lines.join('\n')}\n\n${message}`));
    },
    setRef(name, sha) {
      writeWhole(join(directory, name), Buffer.from(`${sha}\n`), 'again');
    },
  };
}

/** The change of a path: its new text, or null if it is deleted. */
interface Change {
  readonly path: readonly string[];
  readonly text: string | null;
}

/** The content of a tree in git's order, which compares the name of a folder as if it ended in a slash. */
function treeBody(entries: ReadonlyMap<string, Entry>): Buffer {
  const inOrder = [...entries]
    .map(([name, entry]) => ({ ...entry, name: Buffer.from(name) }))
    .toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
  return Buffer.concat(
    inOrder.flatMap(({ mode, name, sha }) => [
      Buffer.from(`${mode} `),
      name,
      Buffer.from([0]),
      Buffer.from(sha, 'hex'),
    ]),
  );
}

const keyOf = ({ mode, name }: { readonly mode: string; readonly name: Buffer }): Buffer =>
  mode === folderMode ? Buffer.concat([name, Buffer.from('/')]) : name;

/** Writes a file by a rename, so that a reader at the same time finds the whole file or none. */
function writeWhole(path: string, bytes: Buffer, again?: 'again'): void {
  if (again === undefined && existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${String(process.pid)}.lock`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}
