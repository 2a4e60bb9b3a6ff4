import * as z from 'zod';
import { nonEmpty, uuid } from '../../lib/contract/description/field.ts';
import { environmentDefinition } from '../../lib/contract/resources/environment.ts';
import { connector } from '../../lib/contract/resources/artifact.ts';
import { faultsSchema } from '../faults/fault-schema.ts';
import { streamingPipelineDefinition } from '../../lib/contract/resources/streaming-pipeline.ts';
import { eventSeed } from './event-seed.ts';
import { secretSeed, streamingSourceSeed, streamingTargetSeed } from './streaming-seed.ts';
import { validateSeed } from './validate-seed.ts';
import { duration } from '../clock/duration.ts';
import { variableDefinition } from '../../lib/contract/resources/variable.ts';

/**
 * Settings that the specification leaves to the deployment: its placeholders (`<WAREHOUSE_KIND_1>`,
 * `<GIT_PROVIDER_VALUE>`), and the durations of simulated work.
 */
export const settingsSchema = z.strictObject({
  warehouseKinds: z
    .strictObject({ keyPair: nonEmpty, password: nonEmpty })
    .default({ keyPair: 'WAREHOUSE_ONE', password: 'WAREHOUSE_TWO' }),
  gitProvider: nonEmpty.default('git-host'),
  configDir: nonEmpty.default('.platform'),
  agentVersion: nonEmpty.default('9.0.0'),
  execution: z
    .enum(['engine', 'simulate'])
    .default('simulate')
    .meta({ description: 'Whether pipelines run on embedded DuckDB, or every component only succeeds.' }),
  databaseLimit: z
    .string()
    .regex(/^[1-9]\d{0,6}(?:MB|GB|TB)$/, 'expected a size like 500MB or 10GB')
    .default('10GB')
    .meta({ description: 'How large the database file of one environment may become, with `--data`.' }),
  memoryLimit: z
    .string()
    .regex(/^[1-9]\d{0,5}(?:MB|GB)$/, 'expected a size like 500MB or 2GB')
    .default('1GB')
    .meta({ description: 'How much memory a statement of one environment may take.' }),
  streaming: z.enum(['engine', 'simulate']).default('simulate').meta({
    description:
      'Whether streaming pipelines capture changes from PostgreSQL into the warehouses, or only change their status.',
  }),
  componentTime: duration.default(50),
  streamingTime: duration.default(1000).meta({ description: 'Duration of a start and of a stop.' }),
  tokenLifetime: duration.default(30 * 60_000),
});

const environmentSeed = z.union([nonEmpty, environmentDefinition.partial().extend({ name: nonEmpty })]);

/** The content of an artifact: a folder next to the seed file, or, in a program, texts by path. */
const content = {
  folder: nonEmpty.optional(),
  files: z.record(nonEmpty, z.string()).optional(),
  commitHash: nonEmpty.default('0'.repeat(40)),
  branch: nonEmpty.optional(),
};

const artifactSeed = z.strictObject({
  version: nonEmpty,
  ...content,
  /** The environments that have the version, in the order of the promotions. */
  environments: z.array(z.union([nonEmpty, z.strictObject({ name: nonEmpty, enabled: z.boolean() })])).min(1),
});

const sharedSeed = z.strictObject({
  prefix: nonEmpty,
  version: nonEmpty,
  ...content,
  enabled: z.boolean().default(true),
});

const streamingPipelineSeed = streamingPipelineDefinition.extend({
  id: uuid.optional(),
  agentId: uuid.optional(),
  state: z.enum(['streaming', 'not_running']).default('not_running'),
});

/** The result of a command to a streaming pipeline, instead of success after `streamingTime`. */
const scriptedStreaming = z.strictObject({
  pipeline: nonEmpty,
  command: z.enum(['start', 'stop']).default('start'),
  outcome: z.enum(['success', 'failure']).default('success'),
  after: duration.optional(),
  times: z.int().min(1).optional(),
});

const scalar = z.union([z.string(), z.number()]);

const rowsSeed = z.strictObject({
  columns: z.record(nonEmpty, nonEmpty).optional().meta({ description: 'Types by name, as in SQL.' }),
  rows: z.array(z.record(nonEmpty, z.json())).default([]),
});

/** What a connector answers. */
const recordsSeed = z.array(z.record(nonEmpty, z.json()));

/** A table of the warehouse before the first execution. */
const tableSeed = rowsSeed.extend({
  file: nonEmpty.optional().meta({
    description:
      'A CSV, JSON or Parquet file instead of `rows`, relative to the seed file and in its folder.',
  }),
  content: z
    .base64()
    .optional()
    .meta({ description: 'The content of `file` in base64; reading a seed file sets it.' }),
  name: nonEmpty.meta({ description: 'As `orders`, `SCHEMA.orders` or `DB.SCHEMA.orders`.' }),
  projects: z.array(nonEmpty).optional().meta({ description: 'Names of projects. Default: all.' }),
  environments: z.array(nonEmpty).optional().meta({ description: 'Default: all environments.' }),
});

const projectSeed = z.strictObject({
  id: uuid.optional(),
  name: nonEmpty,
  description: z.string().optional(),
  warehouse: nonEmpty.optional(),
  /** False: visible to Super Admins only, like a new project (spec §1). */
  invited: z.boolean().default(true),
  connections: z
    .array(
      z.strictObject({
        name: nonEmpty,
        authProvider: nonEmpty.optional(),
        authType: z.enum(['key_pair', 'password']),
      }),
    )
    .default([]),
  environments: z.array(environmentSeed).default([]),
  repository: z.strictObject({ ownerName: nonEmpty, repositoryName: nonEmpty }).optional(),
  variables: z
    .array(variableDefinition.extend({ overrides: z.record(nonEmpty, scalar).optional() }))
    .default([]),
  artifacts: z.array(artifactSeed).default([]).meta({ description: 'Oldest first.' }),
  streamingPipelines: z.array(streamingPipelineSeed).default([]),
});

const role = z.enum(['superAdmin', 'admin', 'member']);
const accessLevel = environmentDefinition.shape.defaultUserAccessLevel;

/** A credential: a fixed token, or client id and secret for `/oauth/token`, or both. */
const credentialSeed = z.strictObject({
  name: nonEmpty,
  role,
  email: z.email().optional(),
  /** Where `projects` names none; instead of each environment's `defaultUserAccessLevel` (spec §2.3). */
  accessLevel: accessLevel.optional(),
  /**
   * The projects that it may see, with its access level in each, or in each of its environments. Default: all projects
   * to which users were invited.
   */
  projects: z
    .union([z.array(nonEmpty), z.record(nonEmpty, z.union([accessLevel, z.record(nonEmpty, accessLevel)]))])
    .optional(),
  token: nonEmpty.optional(),
  state: z.enum(['active', 'expired', 'revoked']).default('active'),
  clientId: nonEmpty.optional(),
  clientSecret: nonEmpty.optional(),
  identity: z
    .strictObject({
      issuer: nonEmpty,
      subject: nonEmpty.meta({
        description: 'The `sub` claim of the ID token; a `*` at the end matches any text.',
      }),
    })
    .optional()
    .meta({
      description: 'The workload whose ID token `/oauth/token` exchanges for a token of this credential.',
    }),
});

/** An issuer of ID tokens, such as a CI, that `/oauth/token` trusts. Beyond the specification. */
const issuerSeed = z.strictObject({
  issuer: nonEmpty.meta({ description: 'The `iss` claim of its tokens.' }),
  audience: nonEmpty
    .optional()
    .meta({ description: 'The `aud` claim that is accepted. Default: the address of `/oauth/token`.' }),
  keys: z
    .array(z.looseObject({ kty: nonEmpty }))
    .min(1)
    .optional()
    .meta({ description: 'Its public keys, as JWK.' }),
  jwksUri: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'Address of the issuer’s public keys, instead of `keys`.' }),
});

/** The result of a component or a whole pipeline, instead of success after `componentTime`. */
const scriptedExecution = z.strictObject({
  pipeline: nonEmpty,
  component: nonEmpty.optional(),
  environment: nonEmpty.optional(),
  outcome: z.enum(['success', 'failure']).optional(),
  after: duration.optional(),
  message: z.string().optional(),
  times: z.int().min(1).optional(),
  rows: z.array(z.array(z.string())).optional(),
  condition: z.boolean().optional(),
  variables: z.record(nonEmpty, z.string()).optional(),
  tables: z.record(nonEmpty, rowsSeed).optional().meta({
    description: 'Rows that the component adds to tables, by the names of the tables, if pipelines run.',
  }),
});

/** A runner (spec §2.3). Default: it runs, and has the version of `settings.agentVersion`. */
const agentSeed = z.strictObject({
  name: nonEmpty,
  state: z.enum(['running', 'paused', 'stopped']).optional(),
  version: nonEmpty.optional(),
});

export const seedSchema = z
  .strictObject({
    version: z.literal(1).default(1),
    settings: settingsSchema.prefault({}),
    projects: z.array(projectSeed).default([]),
    agents: z
      .record(uuid, z.union([nonEmpty, agentSeed]))
      .default({})
      .meta({
        description:
          'Runners by id, each with its name or with more fields. If there are any, no other runner exists.',
      }),
    credentials: z.array(credentialSeed).default([]),
    issuers: z.array(issuerSeed).default([]).meta({ description: 'Issuers of ID tokens to trust.' }),
    connectors: z
      .strictObject({
        custom: z.array(connector).default([]),
        flex: z.array(connector).default([]),
        rows: z
          .record(nonEmpty, z.union([recordsSeed, z.record(nonEmpty, recordsSeed)]))
          .default({})
          .meta({ description: 'Rows of connectors by the connector’s id, or by id and endpoint.' }),
      })
      .prefault({}),
    shared: z
      .array(sharedSeed)
      .default([])
      .meta({ description: 'Versions of shared pipelines, oldest first.' }),
    tables: z
      .array(tableSeed)
      .default([])
      .meta({ description: 'Tables of the warehouses before the first execution, if pipelines run.' }),
    executions: z.array(scriptedExecution).default([]),
    streaming: z.array(scriptedStreaming).default([]),
    secrets: z
      .array(secretSeed)
      .default([])
      .meta({ description: 'Secrets: where the value of each is, never the value.' }),
    streamingSources: z.array(streamingSourceSeed).default([]).meta({
      description: 'The servers that streaming pipelines may read, with `settings.streaming: engine`.',
    }),
    streamingTargets: z.array(streamingTargetSeed).default([]).meta({
      description: 'The environments of streaming pipelines whose target matches several environments.',
    }),
    events: z
      .array(eventSeed)
      .default([])
      .meta({ description: 'Entries of the audit log that no operation writes.' }),
    faults: faultsSchema.optional(),
    ids: z.int().optional().meta({
      description: 'Number that makes ids and tokens the same in each start, but also easy to guess.',
    }),
  })
  .superRefine(validateSeed);

/** A seed in the form in which a person writes it. */
export type Seed = z.input<typeof seedSchema>;
/** A seed with every default filled in. */
export type ReadySeed = z.output<typeof seedSchema>;
export type Settings = z.output<typeof settingsSchema>;
export type TableSeed = ReadySeed['tables'][number];
export type ProjectSeed = ReadySeed['projects'][number];
/** A server that streaming pipelines may read, and its secret. */
export type AllowedSource = Partial<ReadySeed['streamingSources'][number]> &
  Pick<ReadySeed['streamingSources'][number], 'host' | 'port' | 'secret'>;
/** The place of a secret's value: a variable or a file. */
export type SecretPlace = ReadySeed['secrets'][number];
