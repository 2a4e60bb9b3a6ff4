import * as z from 'zod';
import type { Platform } from '../../platform/index.ts';
import type { DeliveryAnswer } from '../webhook/delivery.ts';
import { covers } from './covers.ts';

const variables = z.record(z.string(), z.string()).describe('Environment variables for the client.');

export const platformResult = covers(
  z.object({
    baseUrl: z.string(),
    projectId: z.string(),
    tokens: z.object({ superAdmin: z.string(), admin: z.string(), member: z.string() }),
    clientCredentials: z
      .object({ clientId: z.string(), clientSecret: z.string(), tokenUrl: z.string() })
      .optional(),
    execution: z
      .enum(['engine', 'simulate'])
      .describe('Whether pipelines run on embedded DuckDB, or every component only succeeds.'),
    streaming: z
      .enum(['engine', 'simulate'])
      .describe('Whether streaming pipelines capture changes, or only change their status.'),
    environment: variables,
  }),
)<
  Pick<Platform, 'baseUrl' | 'projectId' | 'tokens' | 'clientCredentials' | 'execution' | 'streaming'> & {
    environment: Record<string, string>;
  }
>();

const addresses = { url: z.string(), dashboard: z.string(), webhooks: z.string() };

export const workerStarted = z.object(addresses);

export const demoStarted = z.object({
  ...addresses,
  token: z.string(),
  inspector: z.string(),
  github: z.string(),
  repository: z.string(),
  config: z.string(),
  data: z.string().nullable().describe('The folder that is kept; null: removed at the end.'),
  platform: variables,
});

/** What `millrace worker hold-all` prints: the ids of the lanes. */
export const heldLanes = z.object({
  dryRun: z.literal(true).optional(),
  held: z.array(z.string()),
  reason: z.string(),
  durable: z.boolean().nullish().describe('Whether it is on the disk of Redis; null: Redis does not say it.'),
});

const backup = {
  file: z.string(),
  format: z.int().describe('The format of the records.'),
  millrace: z.string().describe('The version that made the backup.'),
  at: z.string().describe('When it was made, ISO 8601.'),
  keys: z.int().describe('Its number of keys of Redis.'),
};

export const recordsBackup = z.object(backup);

const replaced = z.int().describe('The number of keys that Redis had before.');

export const plannedRestore = z.object({ dryRun: z.literal(true), ...backup, replaced });

/** What `millrace worker restore` prints: the ids of the lanes. */
export const recordsRestore = heldLanes.omit({ dryRun: true }).extend({ ...backup, replaced });

export const workerToken = z.object({ token: z.string(), hash: z.string() });

export const webhookRequest = z.object({
  url: z.string(),
  method: z.literal('POST'),
  headers: z.record(z.string(), z.string()),
  body: z.looseObject({}),
});

const answer = covers(
  z.object({ status: z.int(), result: z.string(), reason: z.string() }),
)<DeliveryAnswer>();

export const webhookSent = z.object({
  event: z.string(),
  delivery: z.string(),
  url: z.string(),
  done: z.array(z.string()).describe('What was done in the stand-in for GitHub.'),
  answer,
});
