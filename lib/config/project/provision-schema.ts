import { z } from 'zod';
import { nameSchema, projectIdSchema } from '../fields/field-types.ts';

const text = z.string().min(1);

const secret = z.strictObject(
  { secretName: text.describe('Name of the secret that the runner reads.') },
  { error: 'must be a reference, { secretName: … }; do not write the secret itself into a file' },
);
const secretWithKey = z.strictObject(
  {
    secretName: text.describe('Name of the secret that the runner reads.'),
    secretKey: text.describe('Key in the secret.'),
  },
  {
    error: 'must be a reference, { secretName: …, secretKey: … }; do not write the secret itself into a file',
  },
);

/** Fields of both kinds of connection; the required ones depend on `authType`. */
const details = z.strictObject({
  account: text.optional(),
  username: text.optional(),
  defaultRole: text.optional(),
  defaultWarehouse: text.optional(),
  defaultDatabase: text.optional(),
  defaultSchema: text.optional(),
  privateKey: secret.optional(),
  passphrase: secretWithKey.optional().describe('Only for an encrypted private key.'),
  url: text.optional(),
  defaultStorageLocation: text.optional(),
  port: z
    .union([z.int().min(1), z.string().regex(/^\d+$/, { error: 'must be a number' })], {
      error: 'must be a number',
    })
    .optional(),
  useSsl: z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }).optional(),
  password: secretWithKey.optional(),
});

const connection = z.strictObject({
  authType: z.enum(['key_pair', 'password']).describe('Authentication method.'),
  authProvider: text
    .optional()
    .describe('Lowercase name of the warehouse kind. Default: `warehouse` of the project in lower case.'),
});

const environment = z.strictObject({
  displayName: text.optional().describe('Display name. Default: the name.'),
  description: z.string().optional(),
  defaultAgentId: z
    .guid({ error: 'must be the id of a runner: a UUID' })
    .describe('Runner used by default (a UUID).'),
  defaultUserAccessLevel: z
    .enum(['default', 'admin', 'runner', 'readOnly', 'noAccess'])
    .describe('Permissions of a user who is added to the project.'),
  connections: z
    .record(nameSchema, details)
    .describe('Details of the warehouse connections in this environment, by the name of the connection.'),
  defaultConnection: nameSchema
    .optional()
    .describe('Name of the default connection; required if there are several.'),
});

/**
 * A project with its connections, environments and repository (spec §2.1 to §2.4), with the field names of the
 * specification. Texts are plain, not `{ value: … }`.
 */
export const provisionSchema = z.strictObject({
  version: z.literal(1).describe('Version of the file format.'),
  project: z.strictObject({
    id: projectIdSchema.optional().describe('Required only if several projects have the name.'),
    name: nameSchema,
    description: z.string().optional(),
    warehouse: text.describe('Uppercase name of a supported warehouse kind.'),
    agentDeploymentType: z.enum(['HYBRID']).default('HYBRID').describe('How runners are deployed.'),
  }),
  connections: z.record(nameSchema, connection).default({}).describe('Warehouse connections by name.'),
  environments: z.record(nameSchema, environment).default({}).describe('Environments by name.'),
  repository: z
    .strictObject({
      provider: text.describe('Lowercase name of the supported Git host.'),
      ownerName: text,
      repositoryName: text,
    })
    .optional()
    .describe('The Git repository of the project.'),
});

/** A parsed file of a project's set-up, with defaults. */
export type ProvisionFile = z.output<typeof provisionSchema>;

export type ConnectionDetails = z.output<typeof details>;
