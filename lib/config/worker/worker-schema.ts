import { z } from 'zod';
import { durationSchema } from '../fields/duration-schema.ts';
import { globSchema, nameSchema, projectIdSchema, projectPathSchema } from '../fields/field-types.ts';
import { environmentRulesSchema } from '../project/gates-schema.ts';
import { evidenceSchema } from './evidence-schema.ts';
import { notifySchema } from './notify-schema.ts';
import { approverSchema, operatorSchema } from './operator-schema.ts';
import { addressSchema, secretFileSchema, variableSchema } from '../fields/reference-types.ts';
import { executionUrlSchema } from './execution-url.ts';
import { signInSchema } from './sign-in-schema.ts';

/** How to reach the platform: names of variables and files, never a secret. Default address: MILLRACE_BASE_URL. */
const credentialSchema = z
  .strictObject({
    'base-url': addressSchema.optional(),
    'base-url-env': variableSchema.optional(),
    'token-env': variableSchema.optional(),
    'token-file': secretFileSchema.optional(),
    'client-id-env': variableSchema.optional(),
    'client-id-file': secretFileSchema.optional(),
    'client-secret-env': variableSchema.optional(),
    'client-secret-file': secretFileSchema.optional(),
    'token-url': addressSchema.optional(),
    audience: nameSchema.optional(),
    'execution-url': executionUrlSchema.optional(),
    'requests-per-minute': z
      .int()
      .min(10)
      .max(1_000_000)
      .default(1_000)
      .describe(
        'Maximum number of requests that all workers together send with this credential in any 60 seconds. Under full load they send about 92 % of it.',
      ),
  })
  .superRefine((credential, context) => {
    const fault = credentialFault(credential);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((credential) => ({
    baseUrl: credential['base-url'],
    baseUrlEnv: credential['base-url-env'],
    tokenEnv: credential['token-env'],
    tokenFile: credential['token-file'],
    clientIdEnv: credential['client-id-env'],
    clientIdFile: credential['client-id-file'],
    clientSecretEnv: credential['client-secret-env'],
    clientSecretFile: credential['client-secret-file'],
    tokenUrl: credential['token-url'],
    audience: credential.audience,
    executionUrl: credential['execution-url'],
    requestsPerMinute: credential['requests-per-minute'],
  }));

/** A named credential of worker.yaml: the sources of its parts. */
export type CredentialReference = z.output<typeof credentialSchema>;

const githubSchema = z
  .strictObject({
    'api-url': addressSchema.optional(),
    'token-env': variableSchema.optional(),
    'token-file': secretFileSchema.optional(),
    'app-id': z.int().positive().optional(),
    'app-key-file': secretFileSchema.optional(),
    'webhook-secret-env': variableSchema.optional(),
    'webhook-secret-file': secretFileSchema.optional(),
    'sign-in': signInSchema
      .optional()
      .describe('App with which operators sign in. Absent values come from the environment.'),
    'answer-comments': z
      .boolean()
      .default(false)
      .describe(
        'Whether the worker answers each command in a comment on a pull request with a comment of its own. Needs the permission `pull-requests: write`.',
      ),
  })
  .refine((settings) => (settings['app-id'] === undefined) === (settings['app-key-file'] === undefined), {
    error: 'needs `app-id` and `app-key-file` together',
  })
  .transform((settings) => ({
    apiUrl: settings['api-url'],
    tokenEnv: settings['token-env'],
    tokenFile: settings['token-file'],
    appId: settings['app-id'],
    appKeyFile: settings['app-key-file'],
    webhookSecretEnv: settings['webhook-secret-env'],
    webhookSecretFile: settings['webhook-secret-file'],
    signIn: settings['sign-in'],
    answerComments: settings['answer-comments'],
  }));

const dayMs = 86_400_000;
const keepFor = (what: string, usual: string) =>
  durationSchema
    .refine((ms) => ms >= dayMs, { error: 'must be at least one day' })
    .prefault(usual)
    .describe(what);

const keepSchema = z.strictObject({
  promotions: keepFor(
    'Finished promotions, their histories and the histories of lanes. Counted from their creation.',
    '90d',
  ),
  audit: keepFor('Entries of the audit, at most 250,000.', '400d'),
});

const repositorySchema = z.strictObject({
  id: z
    .int()
    .positive()
    .describe(
      'GitHub’s id of the repository, a number. (A name is not safe: another owner could register it later.)',
    ),
  name: nameSchema.describe('owner/name, for messages only.'),
  projects: z.array(projectIdSchema).min(1).describe('Projects that the repository may change.'),
  'working-directories': z
    .array(projectPathSchema.regex(/[^/]$/, { error: 'must be a path without a trailing slash' }))
    .min(1)
    .max(50)
    .default(['.'])
    .describe('Folders with a millrace.yaml, one per project. Default: the root.'),
  branches: z
    .array(globSchema)
    .min(1)
    .describe('Branches whose pushes are accepted. A tag is accepted only if its commit is on one of them.'),
  tags: z.array(globSchema).default([]).describe('Tags whose pushes are accepted. Default: none.'),
  environments: z
    .array(nameSchema)
    .min(1)
    .describe('Environments that are allowed as targets of promotions.'),
  pipelines: z
    .array(globSchema)
    .default([])
    .describe('Pipelines that lanes may run to verify a version. Default: none.'),
  credential: z.string().describe('Name of one of `credentials`.'),
  'webhook-secret-env': variableSchema
    .optional()
    .describe(
      'Name of the environment variable with the secret of this repository’s own webhook. During a rotation it holds several, one on each line.',
    ),
  'webhook-secret-file': secretFileSchema
    .optional()
    .describe(
      'File with the secret of this repository’s own webhook. With either key, the worker accepts webhooks of the repository only with this secret.',
    ),
  approvers: z
    .array(approverSchema)
    .default([])
    .describe(
      'Approvers: names of `operators`, GitHub logins for comments on pull requests, or teams such as @example/platform.',
    ),
  gates: z
    .record(nameSchema, environmentRulesSchema)
    .default({})
    .describe(
      'Minimum gates and what lanes must have, by target environment; `*` for all environments. millrace.yaml may only be stricter.',
    ),
  evidence: evidenceSchema.prefault({}).describe('Who may sign statements about versions.'),
  'artifacts-without-commit': z
    .enum(['refuse', 'accept'])
    .default('refuse')
    .describe(
      'What to do with a version for which the platform lists no commit: refuse | accept (then nothing proves that it was built from the pushed commit).',
    ),
  'production-environments': z
    .array(nameSchema)
    .default([])
    .describe(
      'Environments that people use directly. GitHub marks their deployments as production. An environment named `production` is always one.',
    ),
  'environment-urls': z
    .record(nameSchema, addressSchema)
    .default({})
    .describe('Link for each environment, which GitHub shows with the deployment.'),
});

/** The permissions of one repository. */
export type RepositoryPolicy = z.output<typeof repositorySchema>;

/**
 * `worker.yaml`: the permissions of the worker. It belongs to the operator of the worker and is outside of every
 * repository. Everything that it does not name is denied.
 *
 * ```yaml
 * version: 1
 * credentials:
 *   warehouse: { base-url: https://platform.example.com, token-file: /run/secrets/warehouse }
 * repositories:
 *   - id: 123456789                 # GitHub's id, not the name
 *     name: example/warehouse
 *     projects: [3f0f2c1e-0000-4000-8000-000000000001]
 *     branches: [main]              # a tag counts only if its commit is on one of them
 *     tags: ["v*"]
 *     environments: [test, prod]    # that may be promoted to
 *     pipelines: ["daily/*"]        # that may be run to verify
 *     credential: warehouse
 *     approvers: [ada, grace]
 *     gates: { prod: { from: [test], verify: [daily/load], approvals: 1, soak: 30m } }
 * operators:
 *   - name: ada
 *     token-hash: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 *     role: approver                # viewer | approver | admin
 *     repositories: [123456789]     # or all
 * ```
 */
export const workerSchema = z.strictObject({
  version: z.literal(1).describe('Version of the file format.'),
  credentials: z.record(nameSchema, credentialSchema).describe('Credentials for the platform, by name.'),
  github: githubSchema.prefault({}).describe('Access to GitHub. Absent values come from the environment.'),
  url: addressSchema
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe('Public address of this worker; GitHub links to it.'),
  notify: z
    .array(notifySchema)
    .max(10)
    .default([])
    .describe(
      'Webhooks that the worker sends when a promotion fails, needs an approval or ends with an unknown outcome.',
    ),
  'empty-redis': z
    .enum(['new', 'lost'])
    .default('new')
    .describe(
      'What it means if Redis has no records when the worker starts: `new` (a new installation) or `lost` (records were lost; the worker then holds all lanes).',
    ),
  'redis-replicas': z
    .int()
    .min(0)
    .max(5)
    .default(0)
    .describe(
      'Number of replicas of Redis that must have each webhook before the worker answers it, and the record of each changing call before the worker sends it.',
    ),
  'state-directory': nameSchema
    .optional()
    .describe(
      'Folder on a disk that survives the worker, for its journal of operators’ decisions. A start compares it with Redis. Default: MILLRACE_STATE_DIRECTORY, otherwise none.',
    ),
  drain: durationSchema
    .refine((ms) => ms <= 300_000, { error: 'must be at most 5m' })
    .prefault('5s')
    .describe(
      'Time for which a worker that was sent SIGTERM keeps its port open and answers 503. At least as long as the load balancer needs to notice.',
    ),
  'approval-overdue-after': durationSchema
    .prefault('1d')
    .describe(
      'Time after which the dashboard, the API and the commands show a promotion that waits for an approval as overdue.',
    ),
  keep: keepSchema.prefault({}).describe('Retention times of records in Redis.'),
  repositories: z
    .array(repositorySchema)
    .min(1)
    .describe('Repositories that the worker serves; all others are denied.'),
  operators: z
    .array(operatorSchema)
    .default([])
    .describe(
      'Operators who may view and control the worker, in addition to the bearer of MILLRACE_WORKER_TOKEN.',
    ),
});

function credentialFault(credential: Record<string, string | number | undefined>): string | undefined {
  const both = (name: string): boolean =>
    credential[`${name}-env`] !== undefined && credential[`${name}-file`] !== undefined;
  const any = (name: string): boolean =>
    credential[`${name}-env`] !== undefined || credential[`${name}-file`] !== undefined;
  const twice = ['token', 'client-id', 'client-secret'].find((name) => both(name));
  if (twice !== undefined) return `has both \`${twice}-env\` and \`${twice}-file\`; remove one`;
  if (credential['base-url'] !== undefined && credential['base-url-env'] !== undefined)
    return 'has both `base-url` and `base-url-env`; remove one';
  const client = any('client-id') || any('client-secret') || credential['token-url'] !== undefined;
  if (any('token') && client)
    return 'has both a token (`token-…`) and client credentials (`client-…`, `token-url`); remove one of the two';
  if (any('token')) return undefined;
  if (any('client-id') && any('client-secret') && credential['token-url'] !== undefined) return undefined;
  return 'needs a token (`token-env` or `token-file`), or client credentials (`client-id-…`, `client-secret-…` and `token-url`)';
}
