import type { FastifyInstance } from 'fastify';
import { hasDuckdb, openPython } from '../../engine/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { listenFailure } from '../../lib/core/errors/listen-failure.ts';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { createExecutions } from '../world/executions.ts';
import { createIds } from '../random/ids.ts';
import type { ClientCredentials, Platform, PlatformOptions } from '../world/platform.ts';
import { createControls } from './create-controls.ts';
import { createFaults } from '../faults/faults.ts';
import { readPlan } from '../faults/read-plan.ts';
import { createRequestLog } from '../world/request-log.ts';
import { createPlatformClock } from '../clock/platform-clock.ts';
import { fillSeed } from '../seed/fill-seed.ts';
import { findSeed } from '../planting/find-seed.ts';
import { plantSeed } from '../planting/plant-seed.ts';
import { createCaptures } from '../world/captures.ts';
import { createWarehouses } from '../world/warehouses.ts';
import { createStreamingScript } from '../world/streaming-script.ts';
import { createServer } from '../server/create-server.ts';
import { openFileStore } from '../store/file-store.ts';
import { namedFiles } from '../store/named-files.ts';
import { openStore } from '../store/store.ts';
import { defaultLimits, type World } from '../world/world.ts';

/**
 * Starts the local platform: the whole specification, stateful, on a loopback port.
 * @throws Failure `usage` if the port is in use, `config-invalid` for an invalid seed or the state of another
 * version, `storage-failed` if the directory cannot be used.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const ending = new AbortController();
  const world = createWorld(options, ending.signal);
  try {
    for (const setting of ['execution', 'streaming'] as const)
      if (world.settings[setting] === 'engine' && !(await hasDuckdb())) throw noEngine(setting);
    const host = options.host ?? '127.0.0.1';
    const server = await createServer(world, options.checkAnswers ?? false, host);
    const baseUrl = await listen(server, host, options.port ?? 0);
    world.captures.resume();
    let closing: Promise<void> | undefined;
    const close = () => {
      ending.abort();
      return (closing ??= server.close().then(() => shut(world)));
    };
    return {
      baseUrl,
      ...describeAccess(world, baseUrl),
      ...createControls(world),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await shut(world);
    throw error;
  }
}

function createWorld(options: PlatformOptions, ending: AbortSignal): World {
  const { data = ':memory:', logger = silentLogger, gitRoot, environment } = options;
  const clock = createPlatformClock(options.clock ?? systemClock);
  const store = openStore(data);
  try {
    const foundSeed = findSeed(store, options.seed, logger);
    const ids = createIds({ random: options.random, seed: foundSeed.seed.ids, starts: foundSeed.starts });
    const seed = foundSeed.starts > 0 ? foundSeed.seed : fillSeed(foundSeed.seed, ids);
    if (foundSeed.starts === 0) ids.keepDrawn();
    const files = openFileStore(data);
    if (foundSeed.starts === 0) plantSeed({ store, files, now: clock.now() }, seed, ids);
    files.sweep(namedFiles(store));
    const firstFaults = options.faults === undefined ? (seed.faults ?? {}) : readPlan(options.faults);
    const python = options.python && openPython(options.python);
    const warehouses = createWarehouses({ store, seed, data, now: () => clock.now(), python });
    const faults = createFaults();
    faults.set(firstFaults);
    return {
      store,
      files,
      clock,
      ids,
      logger,
      seed,
      settings: seed.settings,
      limits: { ...defaultLimits, ...options.limits },
      gitRoot,
      environment,
      executions: createExecutions({ store, seed, warehouses, now: () => clock.now() }),
      warehouses,
      streaming: createStreamingScript(seed),
      captures: createCaptures({
        store,
        seed: {
          ...seed,
          secrets: [...(options.secrets ?? []), ...seed.secrets],
          streamingSources: [...(options.allowedSources ?? []), ...seed.streamingSources],
        },
        warehouses,
        data,
        logger,
        environment: environment ?? {},
      }),
      loose: options.loose ?? false,
      faults,
      firstFaults,
      requests: createRequestLog(),
      ending,
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function noEngine(setting: 'execution' | 'streaming'): Failure {
  return new Failure('config-invalid', {
    message: `The seed has \`settings: { ${setting}: engine }\`, and embedded DuckDB is not installed.`,
    hint: `Install DuckDB with \`npm install @duckdb/node-api\`, or set \`${setting}: simulate\` in the seed.`,
  });
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    throw listenFailure(error, { name: 'The local platform', others: 'a platform', host, port });
  }
  const address = server.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  // A server on all addresses is reachable on this machine at the loopback address.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(bound)}`;
}

async function shut(world: World): Promise<void> {
  await world.executions.close();
  await world.captures.close();
  await world.warehouses.close();
  world.store.close();
  world.files.close();
}

interface TokenRow {
  readonly role: 'superAdmin' | 'admin' | 'member';
  readonly token: string;
}

type Access = Pick<
  Platform,
  'projectId' | 'tokens' | 'clientCredentials' | 'execution' | 'streaming' | 'environment'
>;

/** What a caller needs to use the platform. It is read from the state, so that it is the same after a restart. */
function describeAccess(world: World, baseUrl: string): Access {
  const { store, settings } = world;
  const projectId = store.get<{ id: string }>('SELECT id FROM project ORDER BY seq LIMIT 1')?.id ?? '';
  const rows = store.all<TokenRow>(
    `SELECT c.role, t.token FROM credential c JOIN token t ON t.credential_id = c.id
     WHERE t.expires_at IS NULL AND t.revoked = 0 ORDER BY c.rowid, t.rowid`,
  );
  const tokenOf = (role: TokenRow['role']) => rows.find((row) => row.role === role)?.token ?? '';
  const tokens = { superAdmin: tokenOf('superAdmin'), admin: tokenOf('admin'), member: tokenOf('member') };
  return {
    projectId,
    tokens,
    clientCredentials: findClient(world, baseUrl),
    execution: settings.execution,
    streaming: settings.streaming,
    environment: () => ({
      MILLRACE_BASE_URL: baseUrl,
      MILLRACE_TOKEN: tokens.superAdmin || tokens.admin || tokens.member,
      MILLRACE_PROJECT_ID: projectId,
      MILLRACE_AGENT_VERSION: settings.agentVersion,
    }),
  };
}

function findClient(world: World, baseUrl: string): ClientCredentials | undefined {
  const row = world.store.get<{ clientId: string; clientSecret: string }>(
    `SELECT client_id AS clientId, client_secret AS clientSecret FROM credential
     WHERE client_id IS NOT NULL ORDER BY rowid LIMIT 1`,
  );
  return row && { ...row, tokenUrl: `${baseUrl}/oauth/token` };
}
