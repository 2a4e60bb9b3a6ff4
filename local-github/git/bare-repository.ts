import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type CommitFacts, openCommitFiles, type Relation } from './commit-files.ts';
import { frugalGit } from './frugal-git.ts';
import { entriesOf, openGitFiles, treeOf } from './git-files.ts';

const run = promisify(execFile);

const identity = {
  GIT_AUTHOR_NAME: 'octo',
  GIT_AUTHOR_EMAIL: 'octo@example.com',
  GIT_COMMITTER_NAME: 'octo',
  GIT_COMMITTER_EMAIL: 'octo@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  // `git-files.ts` reads refs in this format.
  GIT_DEFAULT_REF_FORMAT: 'files',
};

/** One file of a comparison, as far as the API shows it. */
export interface ChangedFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed';
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  readonly patch?: string;
}

/** A file or folder at a path of a commit. */
export interface PathEntry {
  readonly sha: string;
  readonly type: string;
  readonly text: string;
}

/** A bare repository on disk, read from its files or with the `git` command. */
export interface BareRepository {
  readonly path: string;
  git(...args: readonly string[]): Promise<string>;
  /** The name of the default branch. */
  defaultBranch(): Promise<string>;
  /** What a commit has at a path; undefined if it has nothing. */
  at(commit: string, path: string): Promise<PathEntry | undefined>;
  /** The commit that a name means (tags peeled), or `undefined`. */
  commit(name: string): Promise<string | undefined>;
  /** Every ref under a prefix with what it points at. */
  refs(prefix: string): Promise<readonly { ref: string; sha: string; type: string }[]>;
  changed(from: string, to: string): Promise<readonly ChangedFile[]>;
  /** What commits say about themselves, by their ids. */
  describe(shas: readonly string[]): Promise<readonly CommitFacts[]>;
  /** How two commits are related, by their ids; undefined if they have no common ancestor. */
  relation(base: string, head: string): Promise<Relation | undefined>;
}

const characters: Record<string, ChangedFile['status']> = {
  A: 'added',
  M: 'modified',
  D: 'removed',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

/** Whether an answer of git never changes, because its question has only commit ids. Starting git is most of the cost of an answer. */
function isFinal([command = '', ...words]: readonly string[]): boolean {
  return (
    ['cat-file', 'diff', 'merge-base', 'rev-list', 'rev-parse', 'show'].includes(command) &&
    words.every((word) => /^(?:-.*|blob|[0-9a-f]{40}(?:\.{2,3}[0-9a-f]{40}|[:^].*)?)$/.test(word))
  );
}
const maxAge = 10_000;
const maxKept = 5_000;

/**
 * Opens a bare repository.
 * @param path folder of the bare repository
 * @param environment of this process; git gets only its PATH
 */
export function openBareRepository(path: string, environment: NodeJS.ProcessEnv): BareRepository {
  const files = openGitFiles(path);
  const inFiles = openCommitFiles(files);
  const commits = new Set<string>();
  const kept = new Map<string, string>();
  async function git(...args: readonly string[]): Promise<string> {
    const question = args.join('\0');
    const cached = kept.get(question);
    if (cached !== undefined) return cached;
    const answer = await ask(args);
    if (isFinal(args) && answer.length < maxAge && kept.size < maxKept) kept.set(question, answer);
    return answer;
  }
  async function ask(args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', [...frugalGit, '--git-dir', path, ...args], {
      maxBuffer: 1 << 28,
      env: { PATH: environment.PATH ?? '', LC_ALL: 'C', ...identity },
    });
    return stdout;
  }
  function typeInFiles(ref: string, sha: string): string | undefined {
    if (ref.startsWith('refs/heads/') || commits.has(sha)) return 'commit';
    return files.object(sha)?.type;
  }
  /** The commit that a name means, as far as files show it; undefined if git must be asked. */
  function commitInFiles(name: string): { readonly commit: string | undefined } | undefined {
    if (/^[0-9a-f]{40}$/u.test(name)) return peel('', name);
    const full = name.startsWith('refs/');
    // A short name can be the name of a tag or a branch, in this order.
    const names = full ? [name] : [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`];
    if (!names.every((candidate) => files.canRead(candidate))) return undefined;
    const ref = names.find((candidate) => files.ref(candidate) !== undefined);
    const sha = ref === undefined ? undefined : files.ref(ref);
    if (ref === undefined || sha === undefined) return full ? { commit: undefined } : undefined;
    return peel(ref, sha);
  }
  /** The commit of an object, through tag objects. */
  function peel(ref: string, sha: string): { readonly commit: string } | undefined {
    const type = typeInFiles(ref, sha);
    if (type === 'commit') return { commit: sha };
    if (type !== 'tag') return undefined;
    const [, target] = /^object ([0-9a-f]{40})$/mu.exec(files.object(sha)?.body.toString('utf8') ?? '') ?? [];
    return target === undefined ? undefined : peel('', target);
  }
  return {
    path,
    git,
    async defaultBranch() {
      const head = files.head() ?? '';
      if (files.canRead(head)) return head.replace(/^refs\/heads\//u, '');
      return (await git('symbolic-ref', '--short', 'HEAD')).trim();
    },
    async at(commit, entryPath) {
      const tree = treeOf(files.object(commit)?.body ?? Buffer.alloc(0));
      const names = entryPath === '' ? [] : entryPath.split('/');
      let sha = tree;
      for (const name of names) {
        const parent = sha === undefined ? undefined : files.object(sha);
        sha =
          parent?.type === 'tree'
            ? entriesOf(parent.body).find((entry) => entry.name === name)?.sha
            : undefined;
      }
      const object = sha === undefined ? undefined : files.object(sha);
      if (sha !== undefined && object !== undefined)
        return { sha, type: object.type, text: object.body.toString('utf8') };
      const place = `${commit}:${entryPath}`;
      const type = (await git('cat-file', '-t', place).catch(() => '')).trim();
      if (type === '') return undefined;
      const text = await git('cat-file', type, place);
      return { sha: (await git('rev-parse', place)).trim(), type, text };
    },
    async commit(name) {
      const resolved = commitInFiles(name);
      if (resolved !== undefined) {
        if (resolved.commit !== undefined) commits.add(resolved.commit);
        return resolved.commit;
      }
      try {
        const peeled = `${name}^{commit}`;
        const sha = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', peeled)).trim();
        commits.add(sha);
        return sha;
      } catch {
        return undefined;
      }
    },
    async refs(prefix) {
      if (files.canRead(prefix)) {
        const refs = files.refs(prefix);
        const typed = refs.map(({ ref, sha }) => ({ ref, sha, type: typeInFiles(ref, sha) }));
        if (typed.every((ref) => ref.type !== undefined))
          return typed.map((ref) => ({ ...ref, type: ref.type ?? '' }));
      }
      const out = await git('for-each-ref', '--format=%(refname) %(objectname) %(objecttype)', prefix);
      return out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [ref = '', sha = '', type = ''] = line.split(' ');
          return { ref, sha, type };
        });
    },
    async describe(shas) {
      const facts = shas.map((sha) => inFiles.commit(sha));
      if (facts.every((commit) => commit !== undefined)) return facts;
      const format = '--format=%H%n%T%n%P%n%ct%n%an%n%ae%n%cn%n%ce%n%B%x00';
      const texts = (await git('show', '-s', format, ...shas)).split('\0').map((text) => text.trimStart());
      return texts.slice(0, -1).map((text) => {
        const [sha = '', tree = '', parents = '', seconds, ...more] = text.split('\n');
        const [name = '', email = '', byName = '', by = '', ...message] = more;
        return {
          sha,
          tree,
          parents: parents.split(' ').filter((parent) => parent !== ''),
          author: { name, email },
          committer: { name: byName, email: by },
          seconds: Number(seconds),
          message: message.join('\n').trim(),
        };
      });
    },
    async relation(base, head) {
      const relation = inFiles.relation(base, head);
      if (relation !== undefined) return relation;
      const merge = (await git('merge-base', base, head).catch(() => '')).trim();
      if (merge === '') return undefined;
      const list = async (range: string): Promise<string[]> =>
        (await git('rev-list', '--reverse', range)).split('\n').filter((line) => line !== '');
      const ahead = await list(`${base}..${head}`);
      return { merge, ahead, behind: (await list(`${head}..${base}`)).length };
    },
    async changed(from, to) {
      const [tree, other] = [inFiles.commit(from)?.tree, inFiles.commit(to)?.tree];
      if (tree !== undefined && tree === other) return [];
      // First the raw lines, each with a NUL at its end; then, after one more NUL, the patch.
      const diff = await git('diff', '--raw', '--patch', '-z', '--find-renames', '--abbrev=40', from, to);
      const end = diff.indexOf('\0\0') + 1;
      const raw = diff.slice(0, end).split('\0');
      const changed: ChangedFile[] = [];
      // A line of a file begins with a blank, a sign or a backslash, so only the head of a section can begin like this.
      const sections = diff
        .slice(end + 1)
        .split(/^diff --git /mu)
        .slice(1);
      for (let i = 0; i < raw.length - 1;) {
        const [, , , sha = '', letter = ''] = (raw[i] ?? '').split(' ');
        const status = characters[letter.charAt(0)] ?? 'changed';
        const first = raw[i + 1] ?? '';
        const moved = status === 'renamed' || status === 'copied';
        const filename = moved ? (raw[i + 2] ?? '') : first;
        i += moved ? 3 : 2;
        const text = sections[changed.length] ?? '';
        const start = text.indexOf('\n@@');
        const patch = start === -1 ? undefined : text.slice(start + 1).replace(/\n$/u, '');
        const lines = patch?.split('\n') ?? [];
        const additions = lines.filter((line) => line.startsWith('+')).length;
        const deletions = lines.filter((line) => line.startsWith('-')).length;
        changed.push({
          filename,
          ...(moved ? { previous_filename: first } : {}),
          status,
          sha,
          additions,
          deletions,
          changes: additions + deletions,
          ...(patch === undefined ? {} : { patch }),
        });
      }
      return changed;
    },
  };
}
