import { z } from 'zod';

/** Roles of operators; each includes the roles before it. */
export const operatorRoles = ['viewer', 'approver', 'admin'] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** The name of the bearer of MILLRACE_WORKER_TOKEN. No person may have this name. */
export const workerTokenName = 'worker-token';

/** The name under which the worker's own actions are recorded. */
export const workerName = 'millrace';

/** A name of a person, as in the audit, on GitHub and in messages. */
export const personSchema = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,37}[A-Za-z0-9])?$/, {
  error: 'must be a name or GitHub login of letters, digits, dot, underscore and hyphen',
});

const personOrTeam =
  /^(?:@[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,37}[A-Za-z0-9])?)$/;

/** A person, or a team on GitHub: `@organization/team`. */
export const approverSchema = z.string().regex(personOrTeam, {
  error: 'must be a name, a GitHub login, or a team such as @example/platform',
});

/** Whether an approver or an operator of worker.yaml is a team. */
export function isTeam(name: string): boolean {
  return name.startsWith('@');
}

const tokenHash = z.string().regex(/^sha256:[0-9a-f]{64}$/, {
  error: 'must be `sha256:` and 64 hex digits; `millrace worker token` creates a token and its hash',
});

/** A person, a program or a team that may view or control the worker. Never contains the token itself. */
export const operatorSchema = z
  .strictObject({
    name: z
      .string()
      .regex(personOrTeam, {
        error:
          'must be a name or GitHub login of letters, digits, dot, underscore and hyphen, or a team such as @example/platform',
      })
      .describe(
        'Name in the audit; or a team on GitHub such as @example/platform, whose members sign in with GitHub.',
      ),
    'token-hash': z
      .union([tokenHash, z.array(tokenHash).min(1).max(3)])
      .optional()
      .describe(
        'SHA-256 of the operator’s token; several during a rotation. Without it, the operator only signs in with GitHub.',
      ),
    role: z
      .enum(operatorRoles)
      .describe('viewer (view) | approver (approve, hold, resume, retry, cancel) | admin (everything).'),
    repositories: z
      .union([z.literal('all'), z.array(z.int().positive()).min(1)])
      .describe('GitHub’s ids of the repositories that the operator may access, or `all`.'),
    github: personSchema
      .optional()
      .describe('GitHub login of the same person, who may sign in with it. Default, for approvals: `name`.'),
  })
  .superRefine(({ name, 'token-hash': hashes, github }, context) => {
    const fault = operatorFault(isTeam(name), hashes !== undefined, github !== undefined);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform(({ 'token-hash': hashes, ...operator }) => ({
    ...operator,
    tokenHashes: typeof hashes === 'string' ? [hashes] : (hashes ?? []),
  }));

export type OperatorEntry = z.output<typeof operatorSchema>;

function operatorFault(team: boolean, hasToken: boolean, hasLogin: boolean): string | undefined {
  if (!team)
    return hasToken || hasLogin
      ? undefined
      : 'needs a way to sign in: `token-hash` (of a token), or `github` (a GitHub login)';
  if (hasToken) return 'is a team, whose members sign in with GitHub; remove `token-hash`';
  return hasLogin
    ? 'is a team, whose members sign in with their own GitHub logins; remove `github`'
    : undefined;
}
