import { z } from 'zod';
import { durationSchema } from './duration.ts';
import { globSchema, nameSchema, projectIdSchema, projectPathSchema } from './field-types.ts';
import { gatesSchema } from './gates-schema.ts';
import { notifySchema } from './notify-schema.ts';
import { operatorSchema, personSchema } from './operator-schema.ts';
import { addressSchema, secretFileSchema, variableSchema } from './reference-types.ts';

/** How to reach the platform: names of variables and files, never a secret. Without an address: MILLRACE_BASE_URL. */
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
    'requests-per-minute': z
      .int()
      .min(10)
      .max(1_000_000)
      .default(1_000)
      .describe(
        'What all workers together may send with it: in no 60 seconds, wherever they begin, does the platform see more, where requests take less than a second to get there. About 92 % of it is used when there is enough to ask.',
      ),
  })
  .superRefine((given, context) => {
    const fault = credentialFault(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((given) => ({
    baseUrl: given['base-url'],
    baseUrlEnv: given['base-url-env'],
    tokenEnv: given['token-env'],
    tokenFile: given['token-file'],
    clientIdEnv: given['client-id-env'],
    clientIdFile: given['client-id-file'],
    clientSecretEnv: given['client-secret-env'],
    clientSecretFile: given['client-secret-file'],
    tokenUrl: given['token-url'],
    audience: given.audience,
    requestsPerMinute: given['requests-per-minute'],
  }));

/** A named credential of worker.yaml: where its parts are to be found. */
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
  })
  .refine((given) => (given['app-id'] === undefined) === (given['app-key-file'] === undefined), {
    error: 'needs `app-id` and `app-key-file` together',
  })
  .transform((given) => ({
    apiUrl: given['api-url'],
    tokenEnv: given['token-env'],
    tokenFile: given['token-file'],
    appId: given['app-id'],
    appKeyFile: given['app-key-file'],
    webhookSecretEnv: given['webhook-secret-env'],
    webhookSecretFile: given['webhook-secret-file'],
  }));

const dayMs = 86_400_000;
const keepFor = (what: string, usual: string) =>
  durationSchema
    .refine((ms) => ms >= dayMs, { error: 'must be a day at least' })
    .prefault(usual)
    .describe(what);

const keepSchema = z.strictObject({
  promotions: keepFor(
    'Promotions that are over, their histories and those of lanes; from when they were made.',
    '90d',
  ),
  audit: keepFor('Who did what; 250,000 entries at most.', '400d'),
});

const repositorySchema = z.strictObject({
  id: z
    .int()
    .positive()
    .describe('GitHub’s id of the repository: a name can be registered again by somebody else.'),
  name: nameSchema.describe('owner/name, for people.'),
  projects: z.array(projectIdSchema).min(1).describe('Projects that it may touch.'),
  'working-directories': z
    .array(projectPathSchema.regex(/[^/]$/, { error: 'must be a path without a slash at its end' }))
    .min(1)
    .max(50)
    .default(['.'])
    .describe('Folders with a millrace.yaml each, one for each project; the root without it.'),
  branches: z
    .array(globSchema)
    .min(1)
    .describe('Branches whose pushes count; a tag counts only if its commit is on one.'),
  tags: z.array(globSchema).default([]).describe('Tags whose pushes count; none without it.'),
  environments: z.array(nameSchema).min(1).describe('Environments that may be promoted to.'),
  pipelines: z
    .array(globSchema)
    .default([])
    .describe('Pipelines that may be run to verify; none without it.'),
  credential: z.string().describe('Name of one of `credentials`.'),
  approvers: z
    .array(personSchema)
    .default([])
    .describe('Who may approve: names of `operators`, or GitHub logins for comments on pull requests.'),
  gates: z
    .record(nameSchema, gatesSchema)
    .default({})
    .describe('The least that must hold before an environment is changed; `*` for all of them.'),
  'environment-urls': z
    .record(nameSchema, addressSchema)
    .default({})
    .describe('Where an environment can be looked at; GitHub shows it beside the deployment.'),
});

/** What one repository may do. */
export type RepositoryPolicy = z.output<typeof repositorySchema>;

/**
 * `worker.yaml`: what the worker may do, for whom. It belongs to whoever runs the worker and lies outside every
 * repository. Whatever is not named is denied.
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
 *     gates: { prod: { approvals: 1, soak: 30m } }
 * operators:
 *   - name: ada
 *     token-hash: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 *     role: approver                # viewer | approver | admin
 *     repositories: [123456789]     # or all
 * ```
 */
export const workerSchema = z.strictObject({
  version: z.literal(1).describe('Version of this file’s form.'),
  credentials: z.record(nameSchema, credentialSchema).describe('Ways to reach the platform, by name.'),
  github: githubSchema.prefault({}).describe('GitHub; what is not given comes from the environment.'),
  url: addressSchema
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe('Address of this worker for people; GitHub links to it.'),
  notify: z
    .array(notifySchema)
    .max(10)
    .default([])
    .describe('Webhooks that are told of failures, approvals that are needed and what cannot be known.'),
  'empty-redis': z
    .enum(['new', 'lost'])
    .default('new')
    .describe(
      'What a Redis without records means at the start: a new installation, or that they were lost; then all lanes are held.',
    ),
  keep: keepSchema.prefault({}).describe('How long records are kept in Redis.'),
  repositories: z
    .array(repositorySchema)
    .min(1)
    .describe('Repositories that are served; all others are denied.'),
  operators: z
    .array(operatorSchema)
    .default([])
    .describe(
      'Who may look at the worker and steer it; nobody else but the bearer of MILLRACE_WORKER_TOKEN.',
    ),
});

function credentialFault(given: Record<string, string | number | undefined>): string | undefined {
  const both = (name: string): boolean =>
    given[`${name}-env`] !== undefined && given[`${name}-file`] !== undefined;
  const any = (name: string): boolean =>
    given[`${name}-env`] !== undefined || given[`${name}-file`] !== undefined;
  const twice = ['token', 'client-id', 'client-secret'].find((name) => both(name));
  if (twice !== undefined) return `has \`${twice}-env\` and \`${twice}-file\`; one is enough`;
  if (given['base-url'] !== undefined && given['base-url-env'] !== undefined)
    return 'has `base-url` and `base-url-env`; one is enough';
  const client = any('client-id') || any('client-secret') || given['token-url'] !== undefined;
  if (any('token') && client) return 'has a token and a client; one is enough';
  if (any('token')) return undefined;
  if (any('client-id') && any('client-secret') && given['token-url'] !== undefined) return undefined;
  return 'needs `token-env` or `token-file`, or client id, client secret and `token-url`';
}
