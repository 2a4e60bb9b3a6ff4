import type { GitFiles } from './git-files.ts';
import type { GitPerson } from './git-objects.ts';

/** The facts in a commit object. */
export interface CommitFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: GitPerson;
  readonly committer: GitPerson;
  /** When it was committed, in seconds since the epoch. */
  readonly seconds: number;
  readonly message: string;
}

/** How two commits are related. */
export interface Relation {
  /** The newest common ancestor. */
  readonly merge: string;
  /** Commits of the head that the base does not have, oldest first. */
  readonly ahead: readonly string[];
  /** Number of commits of the base that the head does not have. */
  readonly behind: number;
}

/** Reads commits from files, as far as they show them; see `git-files.ts` for what it costs to ask git. */
export interface CommitFiles {
  commit(sha: string): CommitFacts | undefined;
  /** Undefined unless each commit since the common ancestor has exactly one parent. */
  relation(base: string, head: string): Relation | undefined;
}

/** Maximum number of commits that are read on each side of a comparison. For more of them, git is faster. */
const maxSteps = 100;
const maxKept = 5_000;

/** A commit with only the headers that every commit has. Git reads a signed commit, and a commit in another encoding. */
const plainCommit =
  /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author (.*) <(.*)> \d+ [+-]\d{4}\ncommitter (.*) <(.*)> (\d+) [+-]\d{4}\n\n/u;

export function openCommitFiles(files: Pick<GitFiles, 'object'>): CommitFiles {
  const kept = new Map<string, CommitFacts>();

  function commit(sha: string): CommitFacts | undefined {
    const cached = kept.get(sha);
    if (cached !== undefined) return cached;
    const object = files.object(sha);
    const facts = object?.type === 'commit' ? commitIn(sha, object.body.toString('utf8')) : undefined;
    if (facts !== undefined && kept.size < maxKept) kept.set(sha, facts);
    return facts;
  }

  /** A commit and its ancestors up to the searched commit; undefined if that is not on a line of single parents. */
  function lineTo(isWanted: (sha: string) => boolean, from: string): readonly string[] | undefined {
    const line = [from];
    for (let sha = from; !isWanted(sha); line.push(sha)) {
      const parents = commit(sha)?.parents ?? [];
      const [parent] = parents;
      if (parent === undefined || parents.length > 1 || line.length > maxSteps) return undefined;
      sha = parent;
    }
    return line;
  }

  return {
    commit,
    relation(base, head) {
      const behind = new Map<string, number>();
      // While it searches, it collects the line of the base.
      const straight = lineTo((sha) => {
        behind.set(sha, behind.size);
        return sha === head;
      }, base);
      if (straight !== undefined) return { merge: head, ahead: [], behind: straight.length - 1 };
      const line = lineTo((sha) => behind.has(sha), head);
      const merge = line?.at(-1);
      if (line === undefined || merge === undefined) return undefined;
      return { merge, ahead: line.slice(0, -1).toReversed(), behind: behind.get(merge) ?? 0 };
    },
  };
}

function commitIn(sha: string, text: string): CommitFacts | undefined {
  const match = plainCommit.exec(text);
  if (match === null) return undefined;
  const [headers, tree = '', parents = '', name = '', email = '', byName = '', by = '', seconds] = match;
  return {
    sha,
    tree,
    parents: parents.split('\n').flatMap((line) => (line === '' ? [] : [line.slice('parent '.length)])),
    author: { name, email },
    committer: { name: byName, email: by },
    seconds: Number(seconds),
    message: text.slice(headers.length).trim(),
  };
}
