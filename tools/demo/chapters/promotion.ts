import { numberOf } from '../../../lib/core/text/number-of.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { awaitStatus } from '../await-status.ts';
import { DemoFailure, expectThat, type Demo } from '../demo.ts';
import { repository, workerToken } from '../demo-servers.ts';
import { readTable } from '../read-table.ts';
import type { WorkerProcess } from '../start-worker-process.ts';
import { deliver, type Delivery, pushDelivery } from '../webhook.ts';

interface Pushed {
  readonly projectId: string;
  readonly tag: string;
  readonly commit: string;
}

interface Promoted {
  readonly delivery: Delivery;
  /** The worker that replaced the killed one. */
  readonly worker: WorkerProcess;
}

const contexts = ['millrace/to-test', 'millrace/to-prod'];

/** A signed webhook makes the worker promote the version through the lanes, even though one worker is killed. */
export async function promotion(demo: Demo, { projectId, tag, commit }: Pushed): Promise<Promoted> {
  const { servers, narrator, rows } = demo;
  narrator.chapter('Promote the version after the push webhook, and kill a worker on the way');
  const first = await servers.startWorkerFor(projectId);
  const delivery = await pushDelivery(servers, tag);
  const answer = await deliver(first.url, delivery);
  expectThat(answer === 202, `the worker accepts the signed webhook (status ${answer})`);
  narrator.say(
    `GitHub sends the signed webhook for the push of ${tag}. The worker verifies and stores it, and answers 202.`,
  );
  const executionId = await waitForExecution(first.url, demo.signal);
  const killed = Date.now();
  await first.kill();
  narrator.say(
    `The worker has promoted ${tag} to test and polls execution ${executionId.slice(0, 8)}…. Now SIGKILL ends its process ${first.pid}.`,
  );
  const worker = await servers.startWorkerFor(projectId);
  narrator.say(`Another worker continues (process ${worker.pid}). The statuses of the commit on GitHub:`);
  for (const context of contexts) {
    const state = await awaitStatus(demo, { commit, context, seconds: 60 });
    expectThat(state === 'success', `${context} ends with success`);
  }
  const seconds = Math.round((Date.now() - killed) / 1000);
  expectOnce(demo, tag, commit);
  narrator.say(
    `Everything is done ${seconds} seconds after the kill, and everything exactly once: the platform recorded one promotion and one execution of daily/load per environment, GitHub one final status per lane.`,
  );
  for (const environmentName of ['test', 'prod']) {
    const { results } = await servers.client.artifacts.list({ projectId, environmentName });
    expectThat(
      results.some(({ versionName, enabled }) => versionName === tag && enabled),
      `${tag} is live in ${environmentName}`,
    );
    rows.push([`${tag} to ${environmentName}`, 'worker, after a push', 'promoted, verified by daily/load']);
  }
  await showTables(demo);
  rows.push([
    'SIGKILL of a worker during a promotion',
    'another worker',
    'continued; nothing lost, nothing repeated',
  ]);
  return { delivery, worker };
}

/** Shows what the verified pipelines wrote in prod. Without DuckDB, executions are simulated and write nothing. */
async function showTables({ servers, narrator }: Demo): Promise<void> {
  const name = 'SALES_PROD.PUBLIC.SALES_NORTH';
  const rows = await readTable(servers, 'prod', name);
  if (rows === undefined) return;
  expectThat(rows.length === 1, `the verification in prod wrote the sales of the region north`);
  narrator.say(
    `The pipelines really ran, on an embedded DuckDB for each environment. ${name} has: ${rows[0] ?? ''}.`,
  );
}

/** Waits until the worker polls the execution in test: its start is recorded, its end is not. */
async function waitForExecution(url: string, signal: AbortSignal): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const response = await fetch(`${url}/api/promotions`, {
      headers: { authorization: `Bearer ${workerToken}` },
    });
    const { promotions } = (await response.json()) as {
      promotions: readonly { executionId: string | null }[];
    };
    const id = promotions[0]?.executionId;
    if (typeof id === 'string') return id;
    await delay(30, undefined, { signal });
  }
  throw new DemoFailure('The worker has started no execution.');
}

/** Checks by the records of the platform and of GitHub that everything happened exactly once. */
function expectOnce({ servers }: Demo, tag: string, commit: string): void {
  const ledger = servers.platform.ledger();
  for (const environment of ['test', 'prod'])
    for (const [effect, ending] of [
      ['promoted', `to "${environment}"`],
      ['started', `in "${environment}"`],
    ] as const) {
      const entries = ledger.filter(
        (entry) =>
          entry.effect === effect &&
          entry.description.includes(`"${tag}"`) &&
          entry.description.endsWith(ending),
      );
      expectThat(
        entries.length === 1,
        `${tag} is ${effect} exactly once in ${environment} (${numberOf(entries.length, 'time')})`,
      );
    }
  for (const context of contexts) {
    const ends = servers.github
      .repository(repository)
      .statuses.filter(
        (status) => status.sha === commit && status.context === context && status.state !== 'pending',
      );
    expectThat(
      ends.length === 1,
      `GitHub gets exactly one final status of ${context} (${numberOf(ends.length, 'time')})`,
    );
  }
}
