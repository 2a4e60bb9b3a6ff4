import { generateKeyPair, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { silentProgress } from '../../lib/core/ports/ports.ts';
import type { GitHub } from '../../local-github/index.ts';
import type { Platform } from '../../platform/index.ts';
import type { Session } from '../kit/session.ts';
import { type ControlServer, startControlServer } from './control-server.ts';
import { openDemoEvidence } from './demo-evidence.ts';
import { demoApp, demoAuthor, demoOperator } from './demo-config.ts';
import type { DemoSource } from './demo-source.ts';
import { startServers } from './servers.ts';
import { exampleFiles } from './example-files.ts';
import { createHostActions } from './host-actions.ts';
import { releaseTag } from './release.ts';

/** Everything that the demo's worker talks to except Redis. */
export interface DemoServices extends AsyncDisposable {
  readonly platform: Platform;
  readonly github: GitHub;
  /** The private key of the demo's GitHub App; PEM. */
  readonly appKey: string;
  /** The public key of the signed snapshots, as worker.yaml has it. */
  readonly evidenceKey: string;
  readonly control: ControlServer & { readonly token: string };
  /** The bare repository on disk. */
  readonly repositoryPath: string;
}

export interface ServicesOptions {
  readonly session: Session;
  /** Where the repository and the state of the platform are. */
  readonly data: string;
  readonly signal: AbortSignal;
  readonly source: DemoSource;
}

/** Starts the local platform, the stand-in for GitHub, and the control server, on free ports of the loopback. */
export async function startServices(options: ServicesOptions): Promise<DemoServices> {
  const { session, data, signal, source } = options;
  const { repository } = source;
  const { io, output } = session;
  const environment = { ...io.env };
  await using starting = new AsyncDisposableStack();
  const gitRoot = path.join(data, 'git');
  const { publicKey, privateKey } = await createAppKeys();
  const state = path.join(data, 'platform');
  const servers = starting.use(
    await startServers({
      gitRoot,
      repository: repository.name,
      environment,
      platform: {
        // A folder of --data has its state already.
        ...(existsSync(state) ? {} : { seed: await source.seed() }),
        data: state,
      },
      github: {
        tokens: {},
        repositories: [{ fullName: repository.name, id: repository.id }],
        app: { ...demoApp, publicKey, permissions: appPermissions },
        maxRequests: 100,
      },
      clock: io.clock,
      random: io.random,
      logger: output.logger,
    }),
  );
  const { platform, builder, github, client } = servers;
  addPeople(github, repository.name);
  const { git } = github.repository(repository.name);
  const { copyOf } = source;
  const copy = copyOf === undefined ? undefined : async () => void (await git.git(...copyAll(copyOf)));
  if (copy !== undefined) await copy();
  else if ((await git.commit('refs/heads/main')) === undefined)
    await builder.commit('main', await exampleFiles(), { message: 'The example project\n' });
  const flow = { ...session.flow, progress: silentProgress, signal, client, projectId: source.projectId };
  const now = (): number => io.clock.now();
  const evidence = await openDemoEvidence({ data, repository, builder, now, signal });
  const actions = createHostActions({
    github,
    builder,
    source: { ...source, copy },
    release: (tag, commit) => releaseTag(builder.path, { tag, commit }, { ...flow, environment, evidence }),
    now,
  });
  const token = randomBytes(32).toString('base64url');
  const control = starting.use(await startControlServer(actions, token));
  const closing = starting.move();
  return {
    platform,
    github,
    appKey: privateKey,
    evidenceKey: evidence.publicKey,
    control: { ...control, token },
    repositoryPath: builder.path,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const appPermissions = {
  contents: 'read',
  checks: 'write',
  statuses: 'write',
  deployments: 'write',
  pull_requests: 'write',
} as const;

/** Takes over all branches and tags of the user's repository, also those that moved. */
const copyAll = (place: string): readonly string[] => [
  'fetch',
  '--quiet',
  place,
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
];

function addPeople(github: GitHub, repository: string): void {
  const { collaborators, accounts } = github.repository(repository);
  for (const { id, login } of [demoOperator, demoAuthor])
    collaborators.set(login, { id, login, permission: 'write' });
  accounts.set(demoAuthor.email, { id: demoAuthor.id, login: demoAuthor.login });
}

function createAppKeys(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    // The format of GitHub's keys.
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}
