import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type * as z from 'zod';
import type { streamingPipelineDefinition } from '../../lib/contract/resources/streaming-pipeline.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';
import { type SourceAddress, SourceFailure } from '../streaming/source/source.ts';

export type StreamingDefinition = z.output<typeof streamingPipelineDefinition>;

interface Allowed {
  readonly seed: ReadySeed;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Properties of the driver that mean something here, in seconds and milliseconds as drivers of PostgreSQL have them. */
const knownProperties = ['loginTimeout', 'connectTimeout', 'socketTimeout'] as const;

const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;

/**
 * The address from which a streaming pipeline reads, if the seed allows it. A definition may come from anyone who
 * may create pipelines, and must not send a password elsewhere. Throws SourceFailure.
 */
export function addressOf(
  { streamingSource }: StreamingDefinition,
  { seed, environment }: Allowed,
): SourceAddress {
  const { type, connection } = streamingSource;
  if (!/^postgres(?:ql)?$/i.test(type)) {
    throw new SourceFailure(
      `The local platform cannot capture changes from a source of the type "${type}".`,
      {
        hint: 'Set `streamingSource.type` to postgres, or `settings.streaming: simulate` in the seed.',
      },
    );
  }
  const { host, port, database, username, password, jdbcProperties = {} } = connection;
  const allowed = seed.streamingSources.find(
    (source) => source.host.toLowerCase() === host.toLowerCase() && source.port === port,
  );
  if (allowed === undefined) {
    throw new SourceFailure(`The source ${host}:${port} is not one that the local platform may connect to.`, {
      hint: `Start the platform with \`--allow-source ${host}:${port}=${password.secretName}\`, or add it to \`streamingSources\` in the seed. A folder of --data keeps its first seed.`,
    });
  }
  if (password.secretName !== allowed.secret) {
    throw new SourceFailure(
      `The pipeline refers to the secret "${password.secretName}", but only "${allowed.secret}" may be sent to ${host}:${port}.`,
      { hint: 'Use this secret in `streamingSource.connection.password`, or change the source in the seed.' },
    );
  }
  return {
    host,
    port,
    database,
    username,
    password: secretValue(password, { seed, environment }),
    sslMode: allowed.sslMode ?? (isLoopback(host) ? 'disable' : 'verify-full'),
    certificates:
      allowed.certificates === undefined ? undefined : readText(allowed.certificates, 'The certificates'),
    connectMs: secondsOf(
      jdbcProperties,
      'loginTimeout',
      secondsOf(jdbcProperties, 'connectTimeout', CONNECT_MS),
    ),
    silenceMs: secondsOf(jdbcProperties, 'socketTimeout', SILENCE_MS),
  };
}

/** The fields of a definition that have no effect on the local platform. */
export function ignoredFields({
  streamingSource,
  streamingTarget,
  advancedProperties = {},
}: StreamingDefinition): readonly string[] {
  const properties = Object.keys(streamingSource.connection.jdbcProperties ?? {});
  const unknown = properties.filter((name) => !knownProperties.some((known) => known === name));
  return [
    ...unknown.map((name) => `streamingSource.connection.jdbcProperties.${name}`),
    'streamingTarget.connection.username',
    'streamingTarget.connection.authentication',
    ...(streamingTarget.connection.jdbcProperties === undefined
      ? []
      : ['streamingTarget.connection.jdbcProperties']),
    'streamingTarget.role',
    'streamingTarget.warehouse',
    'streamingTarget.stageSchema',
    'streamingTarget.stageName',
    ...(streamingTarget.tablePrefixType === 'PREFIX' ? [] : ['streamingTarget.stagePrefix']),
    ...Object.keys(advancedProperties)
      .filter((name) => name !== BATCH_SIZE)
      .map((name) => `advancedProperties.${name}`),
  ];
}

/** The name of the property with the number of rows that are written at once (spec §2.5). */
export const BATCH_SIZE = 'batch.size';

interface Reference {
  readonly secretLocation: string;
  readonly secretName: string;
}

function secretValue({ secretLocation, secretName }: Reference, { seed, environment }: Allowed): string {
  const secret = seed.secrets.find(
    ({ name, location = secretLocation }) => name === secretName && location === secretLocation,
  );
  const what = `The secret "${secretName}" in "${secretLocation}"`;
  if (secret === undefined) {
    throw new SourceFailure(`${what} does not exist on the local platform.`, {
      hint: 'Start the platform with `--secret`, or add it to `secrets` in the seed. A folder of --data keeps its first seed.',
    });
  }
  if (secret.file !== undefined) return readText(secret.file, what).replace(/\r?\n$/, '');
  const value = environment[secret.environmentVariable ?? ''];
  if (value !== undefined && value !== '') return value;
  throw new SourceFailure(
    `${what} is in the environment variable ${secret.environmentVariable ?? ''}, which is not set.`,
    {
      hint: 'Set it, and start the platform again.',
    },
  );
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SourceFailure(`${what} cannot be read: ${messageOf(error)}`, {
      hint: 'Check that the file exists and that the platform may read it.',
    });
  }
}

function secondsOf(
  properties: Readonly<Record<string, string | number | boolean>>,
  name: (typeof knownProperties)[number],
  otherwiseMs: number,
): number {
  const seconds = Number(properties[name] ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : otherwiseMs;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
