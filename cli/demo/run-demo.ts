import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import { createOperatorToken } from '../operate/operator-token.ts';
import { runWorker } from '../worker/run-worker.ts';
import { openSession, type Session } from '../kit/session.ts';
import type { Io } from '../terminal/io.ts';
import { writeDemoConfig } from './demo-config.ts';
import { exampleSource, ownSource } from './choose-source.ts';
import type { DemoSource } from './demo-source.ts';
import { openDemoFolder } from './demo-folder.ts';
import { demoLines, pushCommand } from './demo-lines.ts';
import { openDemoRedis, prefixOf } from './open-demo-redis.ts';
import { type DemoServices, startServices } from './start-services.ts';
import { programName } from '../terminal/program-name.ts';

export interface DemoOptions {
  readonly port: number | undefined;
  /** The default of `port`, used if this port is free. */
  readonly usualPort: number;
  readonly host: string;
  readonly data: string | undefined;
  /** The user's own repository, instead of the example project. */
  readonly repository: string | undefined;
  readonly config: string | undefined;
  readonly json: boolean;
  readonly verbose: boolean;
}

const loopback = '127.0.0.1';

/**
 * `millrace worker --demo`: runs the worker with a local platform, a stand-in for GitHub and a Redis, until a
 * signal stops it. It listens on the loopback only. Without `--data`, it leaves no files. Throws Failure 'usage',
 * 'redis-missing'.
 */
export async function runDemo(session: Session, options: DemoOptions): Promise<'passed'> {
  refuseOptions(options);
  const { io, settings, output } = session;
  const hangUp = new AbortController();
  // A closed terminal must not leave a Redis behind.
  io.onHangUp?.(() => hangUp.abort(new Error('SIGHUP')));
  const signal = AbortSignal.any([io.signal, hangUp.signal]);
  const keep = options.data !== undefined;
  const source =
    options.repository === undefined ? exampleSource : await ownSource(session, options.repository);
  await using folder = await openDemoFolder(
    io,
    options.data === undefined ? undefined : path.resolve(io.cwd, options.data),
  );
  const { data } = folder;
  output.progress.step('Starting the platform, the stand-in for GitHub and the worker');
  await using services = await startServices({ session, data, signal, source });
  const { platform, github, appKey, evidenceKey, control } = services;
  const { token, hash } = createOperatorToken();
  const webhookSecret = randomBytes(32).toString('base64url');
  const config = writeDemoConfig(data, {
    platformUrl: platform.baseUrl,
    platformToken: platform.tokens.superAdmin,
    githubApiUrl: github.apiUrl,
    appKey,
    webhookSecret,
    tokenHash: hash,
    evidenceKey,
    source,
  });
  const { json, verbose, usualPort } = options;
  const program = programName(io);
  // SIGHUP ends the demo; a worker without a terminal would read its configuration again.
  const workerIo: Io = { ...io, signal, env: plainEnvironment(io.env), onHangUp: () => undefined };
  return await runWorker(openSession(workerIo, { json, verbose }), {
    config,
    port: options.port ?? ((await isPortFree(usualPort, loopback)) ? usualPort : 0),
    host: loopback,
    verbose,
    openRedis: (_, logger) =>
      openDemoRedis({
        url: settings.redisUrl,
        data,
        keep,
        environment: io.env,
        unpacked: path.resolve(io.cwd, '.millrace', 'redis'),
        clock: io.clock,
        logger,
        progress: output.progress,
      }),
    // Asks the platform often, because a person is watching.
    settings: { prefix: prefixOf(data), pollScale: 0.1, liveMs: 5_000, demoPush: pushCommand(program) },
    async onStart(url) {
      github.addHook({
        place: 'app',
        url: `${url}/webhooks/github`,
        secret: webhookSecret,
        events: ['push', 'issue_comment', 'check_run', 'check_suite'],
      });
      folder.announce({
        worker: { url, token, webhookSecret },
        control: { url: control.url, token: control.token },
      });
      showStart(session, { url, token, config, keep, data, services, source });
    },
  });
}

interface Start {
  readonly url: string;
  readonly token: string;
  readonly config: string;
  readonly keep: boolean;
  readonly data: string;
  readonly services: DemoServices;
  readonly source: DemoSource;
}

/** The tokens of the demo are the result: this session does not know them, so it does not mask them. */
function showStart({ io, output }: Session, start: Start): void {
  const { url, token, config, keep, data, services, source } = start;
  const { platform, github, repositoryPath } = services;
  const facts = {
    url,
    dashboard: `${url}/`,
    webhooks: `${url}/webhooks/github`,
    token,
    inspector: `${platform.baseUrl}/_platform`,
    github: `${github.url}/${source.repository.name}`,
    repository: repositoryPath,
    config,
    data: keep ? data : null,
  };
  const program = programName(io);
  output.result({ ...facts, platform: platform.environment() }, demoLines(facts, program, source.copyOf));
}

/** The environment without the user's own platform, GitHub and worker, and without a proxy: the demo uses only the loopback. */
function plainEnvironment(env: Io['env']): Io['env'] {
  const isForeign = /^(?:MILLRACE_|GITHUB_)|_proxy$/iu;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isForeign.test(name)));
}

function refuseOptions({ host, config }: DemoOptions): void {
  if (host !== loopback)
    throw new Failure('usage', {
      message: 'The demo listens on this machine only, because its secrets are for one person.',
      where: { input: '--host' },
      hint: 'Remove --host. To serve other machines, start a worker with a configuration of your own.',
    });
  if (config !== undefined)
    throw new Failure('usage', {
      message: 'The demo uses its own worker.yaml, so it does not accept --config.',
      where: { input: '--config' },
      hint: 'Remove --config. The demo prints the path of its worker.yaml, which you can change while it runs.',
    });
}

/** Whether a server can listen on the port now. */
async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
