import { type Client, ClientError, createClient, type ClientOptions } from '../../../client/index.ts';
import { type Platform, startPlatform } from '../../../platform/index.ts';
import { instantClock } from '../instant-clock.ts';

/** A rule as the platform's `faults.set` takes it. */
export type Rule = Exclude<Parameters<Platform['faults']['set']>[0], { readonly rules?: unknown }>[number];

export const pipeline = 'daily/load.orch.yaml';
const content = Buffer.from('type: "orchestration"\nversion: "1.0"\npipeline: {}\n');
const file = { path: pipeline, bytes: content.length, open: () => content };
const commitHash = 'a'.repeat(40);

/** The result of one call for the caller, and what happened on the platform. */
export interface Seen {
  /** `ok`, or the code of the error. */
  readonly ended: string;
  /** Number of the operation's requests that reached the platform. */
  readonly hits: number;
  /** Number of effects in the ledger. */
  readonly effects: number;
}

interface Call {
  readonly client: Client;
  readonly projectId: string;
  /** Unique on this platform: for names that must be new. */
  readonly nth: number;
}
type CallOf = (call: Call) => PromiseLike<unknown>;

/** One operation of each retry class; `once` with and without an effect that can be read back. */
export const operations = {
  safe: { id: 'variables.list', call: ({ client, projectId }) => client.variables.list({ projectId }) },
  repeatable: {
    id: 'overrides.set',
    call: ({ client, projectId, nth }) =>
      client.overrides.set({
        projectId,
        variableName: 'limit',
        overrides: [{ environmentName: 'dev', value: nth }],
      }),
  },
  keyed: {
    id: 'sharedArtifacts.publish',
    call: ({ client, nth }) =>
      client.sharedArtifacts.publish({
        sharedPipelineIdPrefix: 'finance',
        versionName: `1.${nth}`,
        commitHash,
        files: [file, shared],
      }),
  },
  create: {
    id: 'artifacts.create',
    call: ({ client, projectId, nth }) =>
      client.artifacts.create({
        projectId,
        versionName: `1.${nth}`,
        environmentName: 'dev',
        commitHash,
        files: [file],
      }),
  },
  promote: {
    id: 'artifacts.promote',
    call: ({ client, projectId }) =>
      client.artifacts.promote({
        projectId,
        versionName: 'ready',
        sourceEnvironmentName: 'dev',
        targetEnvironmentName: 'test',
      }),
  },
  start: {
    id: 'executions.start',
    call: ({ client, projectId, nth }) =>
      client.executions.start({
        projectId,
        pipelineName: pipeline,
        environmentName: 'dev',
        executionTag: `tag-${nth}`,
      }),
  },
} as const satisfies Record<string, { readonly id: string; readonly call: CallOf }>;
export type Kind = keyof typeof operations;

const declaration = Buffer.from(
  `version: "1.0"\ntype: shared-pipelines-config\npipelines:\n  - pipeline: ${pipeline}\n    displayName: Load\n    id: load\n    enabled: true\n`,
);
const shared = {
  path: '.platform/shared-pipelines.yaml',
  bytes: declaration.length,
  open: () => declaration,
};

/**
 * A local platform with fault rules and a version to promote and run, and a client of it whose waits take no time.
 */
export interface FaultyPlatform extends AsyncDisposable {
  readonly platform: Platform;
  readonly client: Client;
  readonly projectId: string;
  /** Sets the fault rules, makes the call, and returns the caller's result and what happened on the platform. */
  callWithRules(kind: Kind, rules: readonly Rule[]): Promise<Seen>;
  /** Makes the call under the current rules, by `caller` if it is given. Returns `ok` or the error's code. */
  attempt(kind: Kind, caller?: Client): Promise<string>;
}

/** A client of the platform whose waits take no time. */
export function clientOf(platform: Platform, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: platform.baseUrl,
    auth: { token: platform.tokens.superAdmin },
    clock: instantClock(),
    random: () => 0.5,
    ...options,
  });
}

export async function startFaultyPlatform(
  options: Partial<ClientOptions> = {},
  by: 'token' | 'client-credentials' = 'token',
): Promise<FaultyPlatform> {
  const platform = await startPlatform();
  const { clientCredentials: credentials } = platform;
  const client = clientOf(platform, {
    ...(by === 'token' || credentials === undefined ? {} : { auth: credentials }),
    ...options,
  });
  const { projectId } = platform;
  await client.variables.create({ projectId, name: 'limit', type: 'NUMBER', behaviour: 'SHARED', value: 1 });
  await client.artifacts.create({
    projectId,
    versionName: 'ready',
    environmentName: 'dev',
    commitHash,
    files: [file],
  });
  let nth = 0;
  const faulty: FaultyPlatform = {
    platform,
    client,
    projectId,
    async attempt(kind, caller = client) {
      nth += 1;
      return outcomeOf(operations[kind].call({ client: caller, projectId, nth }));
    },
    async callWithRules(kind, rules) {
      const { id } = operations[kind];
      const effects = () => platform.ledger({ operation: id }).length;
      const hits = () => platform.requests().counts[id] ?? 0;
      const before = { effects: effects(), hits: hits() };
      platform.faults.set(rules.map((rule) => ({ operation: id, ...rule })));
      try {
        const ended = await faulty.attempt(kind);
        return { ended, hits: hits() - before.hits, effects: effects() - before.effects };
      } finally {
        platform.faults.clear();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await platform.close();
    },
  };
  return faulty;
}

async function outcomeOf(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof ClientError) return error.code;
    throw error;
  }
}
