import type { GitHub, RepositoryBuilder } from '../../local-github/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { demoAuthor, demoOperator } from './demo-config.ts';
import { demoChange, scriptFile } from './demo-change.ts';
import type { DemoSource } from './demo-source.ts';
import type { DemoPush, PushFacts, CommentFacts, DemoComment } from './demo-protocol.ts';

/** What people do on GitHub: merge pull requests, push tags and branches, comment. */
export interface HostActions {
  push(push: DemoPush): Promise<PushFacts>;
  comment(comment: DemoComment): CommentFacts;
}

interface Parts {
  readonly github: GitHub;
  readonly builder: RepositoryBuilder;
  readonly source: Pick<DemoSource, 'repository' | 'branch'> & {
    /** Takes over what is new in the user's own repository; undefined for the example project. */
    readonly copy: (() => Promise<void>) | undefined;
  };
  /** Publishes a tag's commit, as the release workflow of the repository does. Returns what it did, one sentence each. */
  readonly release: (tag: string, commit: string) => Promise<readonly string[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const none = '0'.repeat(40);
const short = (commit: string): string => commit.slice(0, 12);

export function createHostActions({ github, builder, source, release, now }: Parts): HostActions {
  const { branch: mainBranch, copy } = source;
  const common = {
    repository: source.repository,
    sender: { id: demoAuthor.id, login: demoAuthor.login },
  } as const;
  const repository = github.repository(source.repository.name);
  const { git } = repository;
  const head = async (ref: string): Promise<string | undefined> => git.commit(ref);

  /** A commit with a small change, which reaches `main` by a merged pull request. */
  async function merge(title: string): Promise<{ readonly commit: string; readonly done: string }> {
    const number = repository.pulls.length + 1;
    const main = (await head('refs/heads/main')) ?? none;
    // Not named after the number: an earlier start of the demo may have left a branch with that name.
    const branch = `change-${short(main)}`;
    const changes = await demoChange(title, async (path) => (await git.at(main, path))?.text);
    const commit = await builder.commit(branch, changes, { from: main, message: `${title}\n` });
    github.openPull(source.repository.name, { head: branch, base: 'main', title });
    const pull = repository.pulls.find((candidate) => candidate.number === number);
    builder.setBranch('main', commit);
    if (pull !== undefined) {
      pull.state = 'closed';
      pull.mergeCommit = commit;
      pull.mergedAt = new Date(now()).toISOString();
    }
    return { commit, done: `Merged pull request #${String(number)} into main: ${short(commit)}.` };
  }

  /** A merged pull request of a commit of the user, so that a comment on it can approve. */
  function openMergedPull(commit: string, title: string): void {
    if (repository.pulls.some(({ mergeCommit }) => mergeCommit === commit)) return;
    const branch = `millrace-demo-${short(commit)}`;
    builder.setBranch(branch, commit);
    github.openPull(source.repository.name, { head: branch, base: mainBranch, title });
    const pull = repository.pulls.at(-1);
    if (pull === undefined) return;
    pull.state = 'closed';
    pull.mergeCommit = commit;
    pull.mergedAt = new Date(now()).toISOString();
  }

  async function knownCommit(sha: string): Promise<string> {
    const commit = await head(sha);
    if (commit !== undefined) return commit;
    throw new Failure('not-found', {
      message: `The demo's repository has no commit ${sha}.`,
      where: { input: '--sha' },
      hint: `Push the commit to ${builder.path}, or remove --sha. Without --sha, the demo makes a commit.`,
    });
  }

  async function pushTag(tag: string, { sha, dryRun }: DemoPush): Promise<PushFacts> {
    const ref = `refs/tags/${tag}`;
    await copy?.();
    const existing = await head(ref);
    if (copy !== undefined && existing === undefined) throw notInOwn(`the tag ${tag}`, `git tag ${tag}`);
    const requested = sha === undefined ? undefined : await knownCommit(sha);
    if (existing !== undefined && requested !== undefined && requested !== existing)
      throw tagExists(tag, existing);
    const done: string[] = [];
    let commit = existing ?? requested;
    if (commit === undefined && dryRun) commit = (await head('refs/heads/main')) ?? none;
    if (commit === undefined) {
      const merged = await merge(`Change for ${tag}`);
      done.push(merged.done);
      commit = merged.commit;
    }
    if (!dryRun && copy !== undefined) openMergedPull(commit, `Release ${tag}`);
    if (!dryRun) {
      if (existing === undefined) await builder.tag(tag, commit);
      done.push(`${existing === undefined ? 'Pushed the tag' : 'The tag exists already:'} ${tag}.`);
      done.push(...(await release(tag, commit)));
    }
    const target = (await git.refs(ref)).find((candidate) => candidate.ref === ref)?.sha ?? commit;
    return { ...common, ref, before: none, after: target, commit, done };
  }

  async function pushBranch(branch: string, { sha, dryRun }: DemoPush): Promise<PushFacts> {
    const ref = `refs/heads/${branch}`;
    const before = (await head(ref)) ?? none;
    if (copy !== undefined) return pushOwnBranch(branch, before, copy);
    const done: string[] = [];
    let commit = sha === undefined ? undefined : await knownCommit(sha);
    if (commit === undefined && dryRun) commit = before;
    if (commit === undefined && branch === 'main') {
      const merged = await merge('Change main');
      done.push(merged.done);
      commit = merged.commit;
    }
    commit ??= await builder.commit(
      branch,
      { [scriptFile]: `-- Change ${branch} at ${new Date(now()).toISOString()}\n` },
      { from: 'refs/heads/main', message: `Change ${branch}\n` },
    );
    if (!dryRun) {
      builder.setBranch(branch, commit);
      done.push(`Pushed the branch ${branch}: ${short(commit)}.`);
    }
    return { ...common, ref, before, after: commit, commit, done };
  }

  /** What the user committed since the copy that the stand-in has. */
  async function pushOwnBranch(
    branch: string,
    before: string,
    takeOver: () => Promise<void>,
  ): Promise<PushFacts> {
    await takeOver();
    const ref = `refs/heads/${branch}`;
    const commit = await head(ref);
    if (commit === undefined) throw notInOwn(`the branch ${branch}`, `git branch ${branch}`);
    const done = [`Pushed the branch ${branch} of your repository: ${short(commit)}.`];
    return { ...common, ref, before, after: commit, commit, done };
  }

  return {
    push: (push) =>
      push.tag === undefined ? pushBranch(push.branch ?? mainBranch, push) : pushTag(push.tag, push),
    comment({ pull, text, dryRun }) {
      const number = pull ?? repository.pulls.at(-1)?.number;
      if (!repository.pulls.some((candidate) => candidate.number === number) || number === undefined)
        throw noPull(pull);
      const { login, id } = demoOperator;
      const comment = dryRun
        ? 1
        : github.addComment(source.repository.name, { pull: number, login, body: text });
      return {
        repository: source.repository,
        pull: number,
        comment,
        author: { id, login },
        done: [`${login} commented on pull request #${String(number)}: ${text}`],
      };
    },
  };
}

function notInOwn(what: string, command: string): Failure {
  return new Failure('not-found', {
    message: `Your repository does not have ${what}.`,
    hint: `Make it there with \`${command}\`, then run the command again.`,
  });
}

function tagExists(tag: string, commit: string): Failure {
  return new Failure('conflict', {
    message: `The tag ${tag} already exists at another commit, ${short(commit)}.`,
    where: { input: '--sha' },
    hint: 'Give --tag another name. Or remove --sha, to send the push of the existing tag again.',
  });
}

function noPull(pull: number | undefined): Failure {
  return new Failure('not-found', {
    message:
      pull === undefined
        ? 'The demo has no pull request yet.'
        : `The demo has no pull request #${String(pull)}.`,
    where: { input: '--pull' },
    hint: 'Send a push first: `millrace webhook send push --tag v1.2.0` merges a pull request.',
  });
}
