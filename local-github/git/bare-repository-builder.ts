import { join } from 'node:path';
import { openBareRepository } from './bare-repository.ts';
import { type GitPerson, initBareRepository, openGitObjects } from './git-objects.ts';

/** The changes of a commit: path → new text, or `null` to delete the file. */
export type Changes = Readonly<Record<string, string | null>>;

export interface CommitOptions {
  readonly from?: string;
  readonly message?: string;
  /** `octo` by default. */
  readonly author?: GitPerson;
  /** The author by default. */
  readonly committer?: GitPerson;
  /** When it is made, in seconds since the epoch; now by default. */
  readonly seconds?: number;
}

/** Writes commits into a bare repository without a work tree. */
export interface RepositoryBuilder {
  readonly path: string;
  /** Commits on a branch (made from `from`, else from nothing) and gives the commit's id. */
  commit(branch: string, changes: Changes, options?: CommitOptions): Promise<string>;
  /** Makes or moves a branch. */
  setBranch(branch: string, commit: string): void;
  /** Annotated if a message is given, made now or at `seconds` since the epoch; gives the commit's id. */
  tag(name: string, target: string, message?: string, seconds?: number): Promise<string>;
  /** When an annotated tag was made, in seconds since the epoch. */
  tagTime(name: string): Promise<number>;
  deleteTag(name: string): Promise<void>;
}

/** Creates `<gitRoot>/<owner>/<name>` as an empty bare repository with the default branch `main`. */
export async function buildRepository(
  gitRoot: string,
  fullName: string,
  environment: NodeJS.ProcessEnv,
): Promise<RepositoryBuilder> {
  const path = join(gitRoot, fullName);
  initBareRepository(path);
  const bare = openBareRepository(path, environment);
  const objects = openGitObjects(path);
  const now = (): number => Math.floor(Date.now() / 1000);
  return {
    path,
    async commit(branch, changes, options = {}) {
      const { from, message = `Change ${branch}`, author, committer, seconds = now() } = options;
      const ref = `refs/heads/${branch}`;
      const parent = (await bare.commit(ref)) ?? (from === undefined ? undefined : await bare.commit(from));
      const tree = objects.tree(parent, changes);
      const parents = parent === undefined ? [] : [parent];
      const id = objects.commit({ tree, parents, message, seconds, author, committer });
      objects.setRef(ref, id);
      return id;
    },
    setBranch(branch, commit) {
      objects.setRef(`refs/heads/${branch}`, commit);
    },
    async tag(name, target, message, seconds = now()) {
      const id = (await bare.commit(target)) ?? '';
      const ref = `refs/tags/${name}`;
      if (message === undefined) {
        if ((await bare.commit(ref)) !== undefined) throw new Error(`the tag ${name} exists`);
        objects.setRef(ref, id);
      } else objects.setRef(ref, objects.tag({ commit: id, name, message, seconds }));
      return id;
    },
    async tagTime(name) {
      return Number(await bare.git('for-each-ref', '--format=%(taggerdate:unix)', `refs/tags/${name}`));
    },
    async deleteTag(name) {
      await bare.git('tag', '--delete', name);
    },
  };
}
