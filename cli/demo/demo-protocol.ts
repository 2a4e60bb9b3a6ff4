import * as z from 'zod';

/**
 * A name of a tag or branch that is safe as part of a path, and that git accepts: letters, digits, `.`, `_`, `-` and `/`, no
 * part that begins with a dot or ends in `.lock`.
 */
const refName = z
  .string()
  .max(100)
  .regex(/^(?!.*(?:\.\.|\.lock(?:\/|$)|\.(?:\/|$)))[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/, {
    error:
      'The name of a tag or branch of the demo has only letters, digits, dot, underscore, hyphen and slash.',
  });

const sha = z.string().regex(/^[0-9a-f]{40}$/, { error: 'The id of a commit has 40 hex digits.' });

/** A push to the demo's repository. Without `sha`, the demo makes a commit. */
export const demoPush = z.strictObject({
  tag: refName.optional(),
  branch: refName.optional(),
  sha: sha.optional(),
  dryRun: z.boolean().default(false),
});

export type DemoPush = z.output<typeof demoPush>;

/** A comment on a pull request of the demo; by default on the newest one. */
export const demoComment = z.strictObject({
  pull: z.int().positive().optional(),
  text: z.string().min(1).max(65_536),
  dryRun: z.boolean().default(false),
});

export type DemoComment = z.output<typeof demoComment>;

const account = z.object({ id: z.int().positive(), login: z.string() });
const repository = z.object({ id: z.int().positive(), name: z.string() });

/**
 * What the webhook of a push says. `commit`: the commit that a tag points at; `after`: the new id, which may be the
 * id of the tag object.
 */
export const pushFacts = z.object({
  repository,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  commit: z.string(),
  sender: account,
  /** What the demo did, one sentence each. */
  done: z.array(z.string()),
});

export type PushFacts = z.output<typeof pushFacts>;

export const commentFacts = z.object({
  repository,
  pull: z.int(),
  comment: z.int(),
  author: account,
  done: z.array(z.string()),
});

export type CommentFacts = z.output<typeof commentFacts>;

/** The paths of the demo's control server, for a push and for a comment. */
export const controlPaths = { push: '/push', comment: '/comment' } as const;
