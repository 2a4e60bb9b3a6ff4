import { z } from 'zod';

/** What an operator may do; each may do what stands before it, too. */
export const operatorRoles = ['viewer', 'approver', 'admin'] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** What the bearer of MILLRACE_WORKER_TOKEN is called. No person has this name. */
export const workerTokenName = 'worker-token';

/** What the worker itself is called where an act is its own. */
export const workerName = 'millrace';

/** Names as they stand in the audit, on GitHub and in messages. */
export const personSchema = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,37}[A-Za-z0-9])?$/, {
  error: 'must be a name or GitHub login of letters, digits, dot, underscore and hyphen',
});

const tokenHash = z.string().regex(/^sha256:[0-9a-f]{64}$/, {
  error: 'must be `sha256:` and 64 hex digits; `millrace worker token` makes a token and its hash',
});

/** A person or program that may look at the worker or steer it. Never holds the token itself. */
export const operatorSchema = z
  .strictObject({
    name: personSchema.describe('Name that the audit shows.'),
    'token-hash': z
      .union([tokenHash, z.array(tokenHash).min(1).max(3)])
      .describe('SHA-256 of the operator’s token; several while it is rotated.'),
    role: z
      .enum(operatorRoles)
      .describe('viewer (look) | approver (approve, hold, release, retry, cancel) | admin (everything).'),
    repositories: z
      .union([z.literal('all'), z.array(z.int().positive()).min(1)])
      .describe('GitHub’s ids of the repositories that it may touch, or `all`.'),
    github: personSchema.optional().describe('GitHub login of the same person; `name` without it.'),
  })
  .transform(({ 'token-hash': hashes, ...operator }) => ({
    ...operator,
    tokenHashes: typeof hashes === 'string' ? [hashes] : hashes,
  }));

export type OperatorEntry = z.output<typeof operatorSchema>;
