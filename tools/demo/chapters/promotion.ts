import { numberOf } from '../../../lib/core/number-of.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { awaitStatus } from '../await-status.ts';
import { BrokenPromise, expectThat, type Plot } from '../plot.ts';
import { repository, workerToken } from '../stage.ts';
import type { WorkerProcess } from '../start-worker-process.ts';
import { deliver, type Delivery, pushDelivery } from '../webhook.ts';

interface Pushed {
  readonly projectId: string;
  readonly tag: string;
  readonly commit: string;
}

interface Promoted {
  readonly delivery: Delivery;
  /** The one that is left. */
  readonly worker: WorkerProcess;
}

const contexts = ['millrace/to-test', 'millrace/to-prod'];

/** A signed webhook makes the worker promote the version through the lanes, though one worker is killed on the way. */
export async function promotion(plot: Plot, { projectId, tag, commit }: Pushed): Promise<Promoted> {
  const { stage, tell, rows } = plot;
  tell.chapter('The push webhook promotes it, environment by environment; one worker is killed on the way');
  const first = await stage.startWorkerFor(projectId);
  const delivery = await pushDelivery(stage, tag);
  const answer = await deliver(first.url, delivery);
  expectThat(answer === 202, `the worker accepts the signed webhook (it answered ${answer})`);
  tell.say(`GitHub delivers the push of ${tag}, signed. The worker checks, stores it and answers 202.`);
  const executionId = await untilWatching(first.url, plot.signal);
  const killed = Date.now();
  await first.kill();
  tell.say(
    `It has promoted ${tag} to test and watches execution ${executionId.slice(0, 8)}…: SIGKILL to its process, ${first.pid}.`,
  );
  const worker = await stage.startWorkerFor(projectId);
  tell.say(`Another worker takes its place, process ${worker.pid}. The commit’s statuses:`);
  for (const context of contexts) {
    const state = await awaitStatus(plot, { commit, context, seconds: 60 });
    expectThat(state === 'success', `${context} ends in success`);
  }
  const seconds = Math.round((Date.now() - killed) / 1000);
  expectOnce(plot, tag, commit);
  tell.say(
    `${seconds} seconds after the kill all is done, and each thing once: by the platform’s ledger one promotion and one execution of daily/load in each environment, by GitHub’s records one end of each lane.`,
  );
  for (const environmentName of ['test', 'prod']) {
    const { results } = await stage.client.artifacts.list({ projectId, environmentName });
    expectThat(
      results.some(({ versionName, enabled }) => versionName === tag && enabled),
      `${tag} is live in ${environmentName}`,
    );
    rows.push([`${tag} to ${environmentName}`, 'worker, after a push', 'promoted, verified by daily/load']);
  }
  rows.push(['SIGKILL of a worker in the middle', 'the next worker', 'went on; nothing lost, nothing twice']);
  return { delivery, worker };
}

/** Waits until the worker watches the execution in test: its answer is recorded, its end is not. */
async function untilWatching(url: string, signal: AbortSignal): Promise<string> {
  for (let looks = 0; looks < 600; looks += 1) {
    const response = await fetch(`${url}/api/promotions`, {
      headers: { authorization: `Bearer ${workerToken}` },
    });
    const { runs } = (await response.json()) as { runs: readonly { executionId: string | null }[] };
    const id = runs[0]?.executionId;
    if (typeof id === 'string') return id;
    await delay(30, undefined, { signal });
  }
  throw new BrokenPromise('The worker did not come to watch an execution.');
}

/** What really happened, by those to whom it happened. */
function expectOnce({ stage }: Plot, tag: string, commit: string): void {
  const ledger = stage.platform.ledger();
  for (const environment of ['test', 'prod'])
    for (const [effect, ending] of [
      ['promoted', `to "${environment}"`],
      ['started', `in "${environment}"`],
    ] as const) {
      const found = ledger.filter(
        (entry) =>
          entry.effect === effect &&
          entry.description.includes(`"${tag}"`) &&
          entry.description.endsWith(ending),
      );
      expectThat(
        found.length === 1,
        `${tag} is ${effect} once in ${environment} (${numberOf(found.length, 'time')})`,
      );
    }
  for (const context of contexts) {
    const ends = stage.github
      .repository(repository)
      .statuses.filter((one) => one.sha === commit && one.context === context && one.state !== 'pending');
    expectThat(
      ends.length === 1,
      `GitHub hears the end of ${context} once (${numberOf(ends.length, 'time')})`,
    );
  }
}
