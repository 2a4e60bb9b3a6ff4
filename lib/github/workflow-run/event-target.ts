import { z } from 'zod';
import { commitIdPattern } from '../../core/values/commit-id.ts';
import { Failure } from '../../core/errors/failure.ts';
import { describeSchemaIssue, type SchemaIssue, valueAt } from '../../core/errors/schema-issue.ts';

/** The target of an event: the branch and the commit to check, and where the result is reported. */
export interface Target {
  readonly kind: 'pull-request' | 'merge-group' | 'branch' | 'tag' | 'commit';
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  /** The branch name on the remote; empty for a tag and for a commit without a ref. */
  readonly branch: string;
  /** The head, never GitHub's merge commit, which is on no branch (spec §2.8). */
  readonly commit: string;
  /** The base of the change, if the event or the workflow names one. */
  readonly base?: string;
  /** The branch that a pull request is to be merged into. */
  readonly baseBranch?: string;
  /** The workflow names the base or the commit, not the event. */
  readonly isBaseNamed?: boolean;
  readonly tag?: string;
  readonly pullRequest?: number;
  /** The pull request is closed: its head does not change any more, and its branch may be deleted. */
  readonly isClosed?: boolean;
  /** The number of commits of a pull request that was merged. */
  readonly mergedCommits?: number;
  /** GitHub's test merge commits of a pull request, or what it was merged as; the most likely first, one may be outdated. */
  readonly mergeCommits?: readonly string[];
  /** The branch is in another repository, which is not linked to the project. */
  readonly fork: boolean;
  /** GitHub gives this run no secrets. */
  readonly withoutSecrets: boolean;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Facts about a workflow run, from the runner. */
export interface RunFacts {
  readonly eventName: string;
  readonly payload: unknown;
  /** Full name, such as `refs/heads/main`; empty if the event names a commit and no ref (`deployment` by SHA). */
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
    base: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.object({ full_name: z.string() }),
    }),
    merge_commit_sha: z.string().nullish(),
    state: z.string().optional(),
    merged: z.boolean().optional(),
    commits: z.number().optional(),
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
  const { number, head, base, merge_commit_sha, state, merged, commits } = read(
    pullRequest,
    facts,
  ).pull_request;
  // A deleted fork has no repository.
  const fork = head.repo?.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
  const privileged = facts.eventName === 'pull_request_target';
  return {
    kind: 'pull-request',
    repository: facts.repository,
    branch: head.ref,
    commit: head.sha,
    base: base.sha,
    baseBranch: base.ref,
    pullRequest: number,
    isClosed: state === 'closed',
    // Without a number, it may be any.
    ...(merged === true ? { mergedCommits: commits ?? Infinity } : {}),
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

/** The branch or tag by the full name of its ref; only the commit if there is no ref. */
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

/** The branch or tag of the run, or only its commit. */
function ofRun(facts: RunFacts): Target {
  return ofRef(facts, facts.ref, facts.sha);
}

function ofMergeGroup(facts: RunFacts): Target {
  const { head_ref, head_sha, base_sha } = read(mergeGroup, facts).merge_group;
  return { ...ofRef(facts, head_ref, head_sha, base_sha), kind: 'merge-group' };
}

/** `undefined` for a branch or tag that was deleted. */
function ofPush(facts: RunFacts): Target | undefined {
  const { ref, before, after } = read(push, facts);
  if (nullCommit.test(after)) return undefined;
  // GITHUB_SHA is a tag's commit where `after` may be the tag object.
  return ofRef(facts, ref, ref.startsWith('refs/tags/') ? facts.sha : after, before);
}

/**
 * The events that are about a commit, and how their target is read. GitHub starts workflows on all other events with the
 * default branch, which has nothing to do with the comment, the check run or the workflow run that the event is about.
 */
const readers: ReadonlyMap<string, (facts: RunFacts) => Target | undefined> = new Map([
  ['pull_request', ofPullRequest],
  ['pull_request_target', ofPullRequest],
  ['pull_request_review', ofPullRequest],
  ['pull_request_review_comment', ofPullRequest],
  ['merge_group', ofMergeGroup],
  ['push', ofPush],
  ['create', ofRun],
  ['release', ofRun],
  ['deployment', ofRun],
  ['deployment_status', ofRun],
  ['schedule', ofRun],
  ['workflow_dispatch', ofRun],
]);

/** The names of the events that have a commit to check. */
export const checkedEvents: readonly string[] = [...readers.keys()];

/**
 * The branch and commit of an event, for actions that check nothing. For an event that is not about a commit: the
 * default branch and its commit. `undefined` for a deleted branch. Throws Failure 'usage' for a payload that does
 * not have GitHub's format.
 */
export function readTarget(facts: RunFacts): Target | undefined {
  return (readers.get(facts.eventName) ?? ofRun)(facts);
}

/** The commits that the workflow names in the inputs of these names. */
export interface NamedCommits {
  readonly commit?: string | undefined;
  readonly base?: string | undefined;
}

/**
 * What an action checks: the branch and commit of the event, or the commit that the workflow names. `undefined` for a
 * deleted branch. Throws Failure 'usage' for an event that is not about a commit unless the workflow names one, for a
 * name that is not a commit id, for a base of an event that has its own, and for a payload without GitHub's format.
 */
export function readCheckTarget(facts: RunFacts, { commit, base }: NamedCommits = {}): Target | undefined {
  if (commit !== undefined) requireCommitId(commit, 'commit');
  if (base !== undefined) requireCommitId(base, 'base');
  const reader = readers.get(facts.eventName);
  if (reader === undefined && commit === undefined) throw refusedEvent(facts);
  const ofEvent = reader?.(facts);
  const target =
    commit === undefined || ofEvent?.commit === commit ? ofEvent : ofNamed(facts, commit, ofEvent);
  if (target === undefined || base === undefined) return target;
  if (isChange(ofEvent)) {
    throw new Failure('usage', {
      message: `The event "${facts.eventName}" has its own base, so the input \`base\` does not apply.`,
      where: { input: 'base' },
      hint: 'Remove the input `base`: a pull request and the merge queue are compared with what they are merged into.',
    });
  }
  return { ...target, base, isBaseNamed: true };
}

/** Whether an event is about a change, which may not loosen the review of itself. */
const isChange = (target: Target | undefined): target is Target =>
  target?.kind === 'pull-request' || target?.kind === 'merge-group';

/**
 * A commit without its branch: an event about another commit does not show the branch of this one. On an event of a change,
 * it has the base of that change: GitHub's test merge, for example, contains the settings of the change.
 */
function ofNamed(facts: RunFacts, commit: string, ofEvent: Target | undefined): Target {
  const named = ofRef(facts, '', commit);
  if (!isChange(ofEvent) || ofEvent.base === undefined) return named;
  const { base, fork, withoutSecrets } = ofEvent;
  return { ...named, base, isBaseNamed: true, fork, withoutSecrets };
}

/** Validates a full commit id. Throws Failure 'usage' for anything else. */
export function requireCommitId(text: string, input: string): void {
  if (commitIdPattern.test(text)) return;
  throw new Failure('usage', {
    message: `"${text}" is not a commit id.`,
    where: { input },
    hint: 'Give the full commit id, 40 (or 64) hexadecimal digits, such as ${{ github.event.before }}.',
  });
}

function refusedEvent({ eventName }: RunFacts): Failure {
  return new Failure('usage', {
    message: `The event "${eventName}" does not say which commit to check: GitHub starts it with the default branch.`,
    where: { input: 'commit' },
    hint: 'Start the workflow on pull_request, merge_group or push. Or name the commit in the input `commit`, and the commit to compare it with in the input `base`.',
  });
}
