import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import { describeSchemaIssue, type SchemaIssue, valueAt } from '../core/schema-issue.ts';

/** The target of an event: the branch and the commit to check, and where the result is reported. */
export interface Target {
  readonly kind: 'pull-request' | 'merge-group' | 'branch' | 'tag' | 'commit';
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  /** The branch name on the remote; empty for a tag and for a commit without a ref. */
  readonly branch: string;
  /** The head, never GitHub's merge commit, which is on no branch (spec §2.8). */
  readonly commit: string;
  /** The base of the change, if the event names one. */
  readonly base?: string;
  readonly tag?: string;
  readonly pullRequest?: number;
  /** GitHub's test merge commits of a pull request, the most likely first; one may be outdated. */
  readonly mergeCommits?: readonly string[];
  /** The branch is in another repository, which is not linked to the project. */
  readonly fork: boolean;
  /** GitHub gives this run no secrets. */
  readonly withoutSecrets: boolean;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Facts of a run from the runner. */
export interface RunFacts {
  readonly eventName: string;
  readonly payload: unknown;
  /** Full name, such as `refs/heads/main`; empty where the event names a commit and no ref (`deployment` by SHA). */
  readonly ref: string;
  readonly sha: string;
  readonly repository: string;
  readonly actor: string;
}

const pullRequest = z.object({
  pull_request: z.object({
    number: z.number(),
    head: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.object({ full_name: z.string() }).nullish(),
    }),
    base: z.object({ sha: z.string(), repo: z.object({ full_name: z.string() }) }),
    merge_commit_sha: z.string().nullish(),
  }),
});
const mergeGroup = z.object({
  merge_group: z.object({ head_ref: z.string(), head_sha: z.string(), base_sha: z.string() }),
});
const push = z.object({ ref: z.string(), before: z.string(), after: z.string() });

const nullCommit = /^0+$/u;

/** `pull_request.head.sha is missing` */
function wrongField(issue: SchemaIssue | undefined, payload: unknown): string {
  if (issue === undefined) return 'it cannot be read';
  const field = issue.path.length === 0 ? 'the payload' : issue.path.map(String).join('.');
  return `${field} ${describeSchemaIssue(issue, valueAt(payload, issue.path))}`;
}

function read<T>(schema: z.ZodType<T>, { eventName, payload }: RunFacts): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  throw new Failure('usage', {
    message: `The payload of the event "${eventName}" does not have GitHub’s format: ${wrongField(result.error.issues[0], payload)}.`,
    where: { input: 'GITHUB_EVENT_PATH' },
    hint: 'Run the action in a GitHub workflow, and do not change GITHUB_EVENT_PATH.',
  });
}

function ofPullRequest(facts: RunFacts): Target {
  const { number, head, base, merge_commit_sha } = read(pullRequest, facts).pull_request;
  // A deleted fork has no repository.
  const fork = head.repo?.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
  const privileged = facts.eventName === 'pull_request_target';
  return {
    kind: 'pull-request',
    repository: facts.repository,
    branch: head.ref,
    commit: head.sha,
    base: base.sha,
    pullRequest: number,
    // On pull_request_target GITHUB_SHA is the tip of the base.
    mergeCommits: [
      ...(privileged ? [] : [facts.sha]),
      ...(merge_commit_sha == null ? [] : [merge_commit_sha]),
    ],
    fork,
    withoutSecrets: !privileged && (fork || facts.actor === 'dependabot[bot]'),
    notes: privileged
      ? [
          'This ran on pull_request_target, which has access to secrets. Never check out and run the code of the pull request there.',
        ]
      : [],
  };
}

/** The branch or tag by the full name of its ref; only the commit where there is no ref. */
function ofRef(facts: RunFacts, ref: string, commit: string, base?: string): Target {
  const withoutSecrets = facts.actor === 'dependabot[bot]';
  if (ref === '') {
    const { repository } = facts;
    return { kind: 'commit', repository, branch: '', commit, fork: false, withoutSecrets, notes: [] };
  }
  const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.+)$/u.exec(ref) ?? [];
  if (kind === '') {
    throw new Failure('usage', {
      message: `The ref "${ref}" of the event "${facts.eventName}" is neither a branch nor a tag.`,
      where: { input: 'GITHUB_REF' },
      hint: 'Start the workflow on pull_request, merge_group, push or workflow_dispatch.',
    });
  }
  return {
    kind: kind === 'tags' ? 'tag' : 'branch',
    repository: facts.repository,
    branch: kind === 'tags' ? '' : name,
    commit,
    ...(base === undefined || nullCommit.test(base) ? {} : { base }),
    ...(kind === 'tags' ? { tag: name } : {}),
    fork: false,
    withoutSecrets,
    notes: [],
  };
}

/**
 * The branch and commit of an event; `undefined` where there is nothing to check (a deleted branch). Throws Failure
 * 'usage' for a payload without GitHub's format.
 */
export function readTarget(facts: RunFacts): Target | undefined {
  switch (facts.eventName) {
    case 'pull_request':
    case 'pull_request_target':
    case 'pull_request_review':
      return ofPullRequest(facts);
    case 'merge_group': {
      const { head_ref, head_sha, base_sha } = read(mergeGroup, facts).merge_group;
      return { ...ofRef(facts, head_ref, head_sha, base_sha), kind: 'merge-group' };
    }
    case 'push': {
      const { ref, before, after } = read(push, facts);
      if (nullCommit.test(after)) return undefined;
      // GITHUB_SHA is a tag's commit where `after` may be the tag object.
      return ofRef(facts, ref, ref.startsWith('refs/tags/') ? facts.sha : after, before);
    }
    default:
      return ofRef(facts, facts.ref, facts.sha);
  }
}
