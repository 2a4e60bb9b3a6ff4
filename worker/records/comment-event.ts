import { z } from 'zod';
import { payloadSchema } from './payload-schema.ts';

/** A command in a comment on a pull request. */
export interface CommentCommand {
  /**
   * `plan`: show the plans of the promotions that wait. `unknown`: the first line begins like a command but is none, or there are
   * several commands.
   */
  readonly act: 'approve' | 'reject' | 'plan' | 'unknown';
  /** Name of a lane; undefined if the comment names none. */
  readonly lane: string | undefined;
  /** Twelve hex digits of the digest of a plan, or all; absent if the comment names none. */
  readonly plan?: string;
}

/** The stored part of a comment on a pull request: ids and the command, never the text. */
export interface CommentEvent {
  readonly repositoryId: number;
  /** As the event says; for people only. */
  readonly repositoryName: string;
  readonly pull: number;
  /** GitHub's id of the comment. */
  readonly comment: number;
  readonly author: { readonly id: number; readonly login: string };
  readonly command: CommentCommand;
  /** Milliseconds since the epoch, by GitHub's clock. */
  readonly createdAt: number;
  readonly delivery: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

const account = z.object({ id: z.int().positive(), login: z.string().max(100), type: z.string().max(50) });

const commentBody = payloadSchema<'issue_comment'>()(
  z.object({
    action: z.string().max(50),
    issue: z.object({ number: z.int().positive(), pull_request: z.object({}).nullish() }),
    comment: z.object({
      id: z.int().positive(),
      body: z.string().max(70_000),
      user: account,
      created_at: z.iso.datetime({ offset: true }),
      performed_via_github_app: z.unknown().optional(),
    }),
    repository: z.object({ id: z.int().positive(), full_name: z.string().max(300) }),
    sender: account,
  }),
);

/**
 * The command: `/millrace approve`, `/millrace reject`, `/millrace plan`, each also with a lane, and the first also with a plan
 * (`plan:0123456789ab`), alone on the comment's first line.
 */
const commandPattern =
  /^\/millrace +(approve|reject|plan)(?: +([a-z0-9][a-z0-9._-]{0,62}))?(?: +plan:([0-9a-f]{12}|[0-9a-f]{64}))?[ \t]*$/;

/** What people write if they mean a command. */
const attemptPattern = /^\/millrace(?:[ \t]|$)/;

const maxTextLength = 500;

/**
 * Reduces the body of a comment's event, or returns the reason why it is ignored. Only new comments of people
 * count: an edit may be by another person than the author, and a program cannot approve.
 */
export function reduceComment(
  body: unknown,
  facts: Pick<CommentEvent, 'delivery' | 'digest' | 'receivedAt'>,
): CommentEvent | { readonly ignored: string } {
  const read = commentBody.safeParse(body);
  if (!read.success) return { ignored: 'the body is not a comment' };
  const { action, issue, comment, repository, sender } = read.data;
  const command = commandOf(comment.body);
  if (command === undefined) return { ignored: 'the comment contains no command' };
  if (action !== 'created') return { ignored: 'only new comments count' };
  if (issue.pull_request === undefined || issue.pull_request === null)
    return { ignored: 'the comment is not on a pull request' };
  const { user } = comment;
  if (user.type !== 'User' || (comment.performed_via_github_app ?? null) !== null)
    return { ignored: 'a bot wrote the comment' };
  if (user.id !== sender.id) return { ignored: 'the sender is not the comment’s author' };
  return {
    repositoryId: repository.id,
    repositoryName: repository.full_name,
    pull: issue.number,
    comment: comment.id,
    author: { id: user.id, login: user.login },
    command,
    createdAt: Date.parse(comment.created_at),
    ...facts,
  };
}

/** The command in a comment; undefined if its first line does not begin like one. */
export function commandOf(text: string): CommentCommand | undefined {
  const [first = '', ...others] = text.trim().split(/\r?\n/);
  if (!attemptPattern.test(first)) return undefined;
  const [, act, lane, plan] = commandPattern.exec(first) ?? [];
  // Two commands in one comment are ambiguous: do not guess.
  const isClear = !others.some((line) => line.startsWith('/millrace'));
  if (isClear && act === 'approve') return { act, lane, ...(plan === undefined ? {} : { plan }) };
  if (isClear && plan === undefined && (act === 'reject' || act === 'plan')) return { act, lane };
  return { act: 'unknown', lane: undefined };
}

/**
 * The text below the command in a comment, cut at 500 characters: the comment of an approval, or the reason of a
 * rejection. Undefined if there is no text.
 */
export function textBelow(text: string): string | undefined {
  const [, ...others] = text.trim().split(/\r?\n/);
  return others.join('\n').trim().slice(0, maxTextLength) || undefined;
}
