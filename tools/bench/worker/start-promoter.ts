import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { firstOutput } from '../../../test/environment/processes/first-output.ts';
import type { ProcessOptions } from '../../../test/worker/crash/worker-process.ts';
import {
  createWorkerEnvironment,
  noLimits,
  type WorkerEnvironment,
} from '../../../test/environment/worker/worker-environment.ts';
import type { BenchRedis } from './bench-redis.ts';
import type { PollerKind } from './start-poller.ts';

const scripts: Readonly<Record<PollerKind, string>> = {
  millrace: '../../../test/worker/crash/worker-process.ts',
  bare: 'bare-run.ts',
};

/** A program that promotes pushes, in a separate process, with everything that it needs. */
export interface Promoter extends AsyncDisposable {
  readonly env: WorkerEnvironment;
  readonly url: string;
  readonly pid: number;
}

/** Starts a worker or the bare program, with a lane `to-<target>` for the tags `<tags>*` of each target. */
export async function startPromoter(
  kind: PollerKind,
  redis: BenchRedis,
  lanes: readonly { readonly target: string; readonly tags: string }[],
): Promise<Promoter> {
  const targets = lanes.map(({ target }) => target);
  const env = await createWorkerEnvironment({ lanes: lanes.map(laneOf).join(''), targets });
  const options: ProcessOptions = {
    redis: redis.address,
    settings: { prefix: env.prefix, githubLimits: noLimits, pollScale: 0.05 },
    platform: env.wire.baseUrl,
    token: env.platform.tokens.admin,
    github: env.github.apiUrl,
    targets,
    // `limited.ts` measures the cost of the limit.
    requestsPerMinute: 1_000_000,
  };
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, scripts[kind]), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await firstOutput(child);
  return {
    env,
    url: url.trim(),
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      // Not SIGKILL: a CPU profile (NODE_OPTIONS=--cpu-prof) is written at the end.
      child.kill('SIGTERM');
      await exited;
      await env[Symbol.asyncDispose]();
    },
  };
}

const laneOf = ({ target, tags }: { readonly target: string; readonly tags: string }): string => `
  - name: to-${target}
    on: { push: { tags: ["${tags}*"] } }
    from: dev
    to: ${target}
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;
