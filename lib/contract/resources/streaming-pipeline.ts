import * as z from 'zod';
import { closedEnum, extension, nonEmpty, openEnum, uuid } from '../description/field.ts';

/** A reference to a secret that already exists in a secrets manager (spec §2.5). Values of secrets are never sent. */
export const secretReference = z.strictObject(
  { secretType: nonEmpty, secretLocation: nonEmpty, secretName: nonEmpty },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'must be a reference to a secret: { secretType: …, secretLocation: …, secretName: … }'
        : undefined,
  },
);

const driverProperties = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** The source of a streaming pipeline (spec §2.5, second table). */
export const streamingSource = z.strictObject({
  type: nonEmpty,
  connection: z.strictObject({
    host: nonEmpty,
    port: z.int().min(1).max(65_535),
    database: nonEmpty,
    username: nonEmpty,
    password: secretReference,
    jdbcProperties: driverProperties.optional(),
  }),
  tables: z.array(z.strictObject({ schema: nonEmpty, table: nonEmpty })),
});

/**
 * The target of a streaming pipeline (spec §2.5, third table). Requests may contain values that the table does not
 * show (unknowns §6).
 */
export const streamingTarget = z.strictObject({
  type: nonEmpty,
  connection: z.strictObject({
    accountName: nonEmpty,
    username: nonEmpty,
    authentication: z.strictObject({
      type: closedEnum(['key-pair']),
      privateKey: secretReference,
      passphrase: secretReference.optional(),
    }),
    jdbcProperties: driverProperties.optional(),
  }),
  role: nonEmpty,
  warehouse: nonEmpty,
  database: nonEmpty,
  stageSchema: nonEmpty,
  stageName: nonEmpty,
  stagePrefix: z.string(),
  tableSchema: nonEmpty,
  tablePrefixType: openEnum(['PREFIX', 'SOURCE_DATABASE_AND_SCHEMA', 'NONE']),
  transformationType: openEnum(['CHANGE_LOG', 'COPY_TABLE', 'COPY_TABLE_SOFT_DELETE']),
  temporalMapping: openEnum(['NATIVE', 'EPOCH']),
});

export const streamingPipelineDefinition = z.strictObject({
  name: nonEmpty,
  agentId: uuid,
  streamingSource,
  streamingTarget,
  advancedProperties: z.record(z.string(), z.string()).optional(),
});

export const streamingPipeline = z.looseObject({
  streamingPipelineId: z.string(),
  name: z.string(),
  agentId: z.string(),
  streamingSource: z.looseObject({ type: z.string() }),
  streamingTarget: z.looseObject({ type: z.string() }),
  advancedProperties: z.record(z.string(), z.string()).nullish(),
});

export const streamingCommand = z.strictObject({ command: closedEnum(['start', 'stop']) });

/** Bytes of the source's log, and seconds, that the target is behind. */
const streamingLag = z.looseObject({ bytes: z.number(), seconds: z.number() });

/**
 * The status of a streaming pipeline. Spec §3.1 shows `starting` and `streaming`; the other values are from
 * unknowns §6. Compare them ignoring case. A platform may add more than the specification has: that it only
 * simulates, why a start failed, how far it is behind, and what to do before the source's disk is full.
 */
export const streamingStatus = z.looseObject({
  status: openEnum(['starting', 'snapshotting', 'streaming', 'stopping', 'not_running', 'unknown']),
  simulated: extension(z.boolean().optional()),
  reason: extension(z.string().optional()),
  hint: extension(z.string().optional()),
  lag: extension(streamingLag.optional()),
  warning: extension(z.string().optional()),
});
