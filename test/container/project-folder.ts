import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import {
  orchestration,
  projectId,
  repositoryId,
  repositoryName,
} from '../environment/worker/worker-environment.ts';
import { toTest } from '../environment/worker/lanes-at-work.ts';
import { root } from '../repository/repository-files.ts';

/** The folder with compose.yaml, worker.yaml and secrets that an operator has, and what the check knows of it. */
export interface ProjectFolder {
  readonly folder: string;
  readonly webhookSecret: string;
  readonly workerToken: string;
}

interface ComposeFile {
  readonly services: Record<string, Record<string, unknown>>;
}

interface FolderOptions {
  readonly folder: string;
  /** The images of the services. */
  readonly images: { readonly worker: string; readonly outside: string; readonly redis: string };
  /** Host ports of the worker and of the control server in the container `outside`. */
  readonly ports: { readonly worker: number; readonly control: number };
  /** How long an execution takes on the platform, in milliseconds. */
  readonly executionMs: number;
}

/** Users in the images: the process of the worker, and the process of Valkey. */
const [nodeUser, valkeyUser] = [1000, 999];

/**
 * Writes the folder as `docs/deploy.md` describes it. compose.yaml is the repository's, but for its images and ports, the address of the
 * platform, and one service more: `outside`, in the network `front`.
 */
export function writeProjectFolder({ folder, images, ports, executionMs }: FolderOptions): ProjectFolder {
  const secrets = path.join(folder, 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  const secret = (): string => randomBytes(24).toString('base64url');
  const [platformToken, githubToken, redisPassword] = [secret(), secret(), secret()];
  const [webhookSecret, workerToken] = [secret(), secret()];
  const files: Record<string, string> = {
    'platform-token': platformToken,
    'webhook-secret': webhookSecret,
    'github-token': githubToken,
    'worker-token': workerToken,
    'redis-auth.conf': `requirepass ${redisPassword}`,
    'redis-url': `redis://:${redisPassword}@redis:6379`,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(secrets, name);
    writeFileSync(file, `${text}\n`);
    chownSync(file, name === 'redis-auth.conf' ? valkeyUser : nodeUser, -1);
    chmodSync(file, 0o400);
  }
  writeFileSync(path.join(folder, 'worker.yaml'), workerFile);
  cpSync(path.join(import.meta.dirname, 'outside.mjs'), path.join(folder, 'outside.mjs'));
  const compose = parse(readFileSync(path.join(root, 'compose.yaml'), 'utf8')) as ComposeFile;
  const { worker, redis } = compose.services;
  if (worker === undefined || redis === undefined) throw new Error('compose.yaml has no worker or redis.');
  worker['image'] = images.worker;
  worker['ports'] = [`127.0.0.1:${ports.worker}:8080`];
  redis['image'] = images.redis;
  const check = {
    repository: repositoryName,
    repositoryId,
    projectId,
    platformToken,
    githubToken,
    executionMs,
    files: {
      'millrace.yaml': `version: 1\nproject: ${projectId}\nenvironments: [dev, test]\nlanes:\n${toTest}`,
      'daily/load.orch.yaml': orchestration,
    },
  };
  compose.services['outside'] = {
    image: images.outside,
    entrypoint: ['node', '/check/outside.mjs'],
    // Of compose, a `$` begins a variable.
    environment: { MILLRACE_CHECK: JSON.stringify(check).replaceAll('$', '$$$$') },
    volumes: ['./outside.mjs:/check/outside.mjs:ro'],
    ports: [`127.0.0.1:${ports.control}:4002`],
    networks: ['front'],
  };
  // Compose reads YAML 1.1, in which an unquoted `yes` is true.
  writeFileSync(path.join(folder, 'compose.yaml'), stringify(compose, { version: '1.1' }));
  return { folder, webhookSecret, workerToken };
}

const workerFile = `version: 1
credentials:
  platform: { token-file: /run/secrets/platform_token }
github: { api-url: "http://outside:4001/api/v3" }
repositories:
  - id: ${repositoryId}
    name: ${repositoryName}
    projects: [${projectId}]
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    credential: platform
`;
