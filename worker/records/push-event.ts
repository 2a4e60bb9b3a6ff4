import { z } from 'zod';
import { payloadSchema } from './payload-schema.ts';
import { commitIdPattern } from '../../lib/core/values/commit-id.ts';
import { websiteLogin } from '../../lib/github/endpoints/people.ts';
import type { HeadWait } from '../../flows/push/await-head.ts';

const commitId = z.string().regex(commitIdPattern);

/** GitHub names no login for an address that it does not know. */
const personOfCommit = z
  .object({ username: z.string().min(1).max(100).optional() })
  .nullish()
  .catch(undefined);

const commitPeople = z.object({ author: personOfCommit, committer: personOfCommit });

/** When the commit was made; only for the metrics. */
const commitTime = z.iso.datetime({ offset: true }).optional().catch(undefined);

const maxAuthors = 500;

/** The used part of a push's body. Text is bounded; none of it is ever executed. */
const pushBody = payloadSchema<'push'>()(
  z.object({
    // eslint-disable-next-line no-control-regex -- control characters are what is refused
    ref: z
      .string()
      .max(1024)
      .regex(/^refs\/(?:heads|tags)\/[^\x00-\x20\x7f]+$/),
    before: commitId,
    after: commitId,
    created: z.boolean(),
    deleted: z.boolean(),
    forced: z.boolean(),
    head_commit: z
      .object({ id: commitId, timestamp: commitTime })
      .and(commitPeople)
      .nullish()
      .catch(undefined),
    commits: z.array(commitPeople).max(5_000).nullish().catch(undefined),
    repository: z.object({ id: z.int().positive(), full_name: z.string().max(300) }),
    sender: z
      .object({ id: z.int(), login: z.string().max(100) })
      .partial()
      .nullish()
      // An unknown pusher requires more approvals, not fewer.
      .catch(undefined),
  }),
);

/** The stored part of a push: ids, never the whole payload. */
export interface PushEvent {
  readonly repositoryId: number;
  /** As the event says; for people only. Calls use the name that GitHub returns for the id. */
  readonly repositoryName: string;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly forced: boolean;
  readonly sender: string;
  /** The commit at the ref after the push: of an annotated tag `after` is the tag's own id. */
  readonly headCommit?: string;
  /** When that commit was made, in milliseconds since the epoch, as its author says; absent if the event does not say it. */
  readonly committedAt?: number;
  /** GitHub's id of the sender. */
  readonly senderId?: number | undefined;
  /** GitHub logins of the authors and committers of its commits, at most 500. */
  readonly authors?: readonly string[];
  /** GitHub's id of the delivery; not covered by the signature. */
  readonly delivery: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** What its ingest waits for, kept with its job; absent before it waits. */
  readonly waits?: IngestWaits;
}

/** What the ingest of a push waits for. Times in milliseconds since the epoch. */
export interface IngestWaits {
  /** The wait for GitHub to show the push. */
  readonly head?: HeadWait;
  /** The wait for GitHub to show its commit on an allowed branch, and its settings. */
  readonly match?: HeadWait;
  /** Since when for earlier pushes of its repository. */
  readonly turnSince?: number;
}

/** Reduces the body of a push's event; `undefined` if it is not a push. */
export function reducePush(
  body: unknown,
  facts: Pick<PushEvent, 'delivery' | 'digest' | 'receivedAt'>,
): PushEvent | undefined {
  const read = pushBody.safeParse(body);
  if (!read.success) return undefined;
  const { repository, ref, before, after, created, deleted, forced, sender } = read.data;
  const { head_commit: head, commits } = read.data;
  return {
    repositoryId: repository.id,
    repositoryName: repository.full_name,
    ref,
    before,
    after,
    headCommit: head?.id ?? after,
    ...(head?.timestamp === undefined ? {} : { committedAt: Date.parse(head.timestamp) }),
    created,
    deleted,
    forced,
    sender: sender?.login ?? '',
    senderId: sender?.id,
    authors: authorsOf([...(commits ?? []), ...(head ? [head] : [])]),
    ...facts,
  };
}

function authorsOf(commits: readonly z.output<typeof commitPeople>[]): readonly string[] {
  const logins = new Set(commits.flatMap(({ author, committer }) => [author?.username, committer?.username]));
  logins.delete(websiteLogin);
  return [...logins].filter((login) => login !== undefined).slice(0, maxAuthors);
}

/** Whether an id means "no commit". */
export function isNoCommit(id: string): boolean {
  return /^0+$/.test(id);
}

/** The start of the delivery id of a push that a sweep found. */
export const sweepPrefix = 'sweep-';

/**
 * Whether a sweep found the push, so that GitHub delivered no event for it. A job that was given up may have lost
 * its delivery.
 */
export function isFoundBySweep({ delivery }: Partial<Pick<PushEvent, 'delivery'>>): boolean {
  return delivery?.startsWith(sweepPrefix) === true;
}
