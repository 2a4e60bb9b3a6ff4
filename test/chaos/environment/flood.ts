import { createHash, randomUUID } from 'node:crypto';
import { delivery, repositoryId, repositoryName } from '../../environment/worker/worker-environment.ts';
import type { TrialEnvironment } from './trial-environment.ts';
import { waitedForCore } from './waited-for-core.ts';
import type { WorkerProcess } from './worker-process.ts';

/** The result of one push of a flood. */
export interface Offered {
  readonly branch: string;
  /** Of its body. */
  readonly digest: string;
  readonly status: number | undefined;
  readonly ms: number;
  /** How much of that sender and worker waited for a core. */
  readonly waitedMs: number;
}

type Receiver = Pick<WorkerProcess, 'url' | 'pid'>;

/** A push of a branch that GitHub does not know: it costs little to ingest, and can be distinguished from all others. */
export function pushOf(branch: string) {
  const after = randomUUID().replaceAll('-', '').padEnd(40, '0');
  return delivery('push', {
    ref: `refs/heads/${branch}`,
    before: '0'.repeat(40),
    after,
    created: true,
    deleted: false,
    forced: false,
    repository: { id: repositoryId, full_name: repositoryName },
    sender: { id: 1, login: 'octocat' },
  });
}

/** Sends one push. */
export async function offerOne(
  env: TrialEnvironment,
  { url, pid }: Receiver,
  branch: string,
): Promise<Offered> {
  const push = pushOf(branch);
  const digest = createHash('sha256').update(push.body).digest('hex');
  const waited = (): number => waitedForCore(pid) + waitedForCore(process.pid);
  const [startedAt, before] = [performance.now(), waited()];
  const status = await env.send(url, push);
  return { branch, digest, status, ms: performance.now() - startedAt, waitedMs: waited() - before };
}

/** Sends pushes one after the other for as long as `going` says, `width` at a time. */
export async function flood(
  env: TrialEnvironment,
  to: Receiver,
  name: string,
  going: () => boolean,
  width = 4,
): Promise<readonly Offered[]> {
  const offered: Offered[] = [];
  let count = 0;
  const send = async (): Promise<void> => {
    while (going()) {
      count += 1;
      const one = await offerOne(env, to, `${name}-${count}`);
      offered.push(one);
      // A stopped Redis refuses at once: it matters that it is asked, not how often.
      if (one.status !== 202) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all(Array.from({ length: width }, send));
  return offered;
}

/** The branches that a worker has asked GitHub for, which it does for each push that it ingests. */
export function branchesAsked(env: TrialEnvironment): ReadonlySet<string> {
  const asked = new Set<string>();
  for (const { path } of env.services.github.requests) {
    const branch = /\/git\/ref\/heads(?:%2F|\/)(.+)$/i.exec(path)?.[1];
    if (branch !== undefined) asked.add(decodeURIComponent(branch));
  }
  return asked;
}
