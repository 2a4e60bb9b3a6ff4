import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { TagConflict } from '../../../client/index.ts';
import { repository } from '../demo-servers.ts';
import { expectThat, type Demo } from '../demo.ts';
import { deliver, type Delivery } from '../webhook.ts';
import { release } from '../workflow.ts';

interface Released {
  readonly projectId: string;
  readonly workerUrl: string;
  readonly delivery: Delivery;
  readonly tag: string;
  readonly commit: string;
}

/** Shows that a busy tag is refused, and that a repeated release and a repeated webhook change nothing. */
export async function idempotency(
  { servers, narrator, rows, signal }: Demo,
  released: Released,
): Promise<void> {
  const { projectId, workerUrl, delivery, tag, commit } = released;
  narrator.chapter('Nothing happens twice');
  const { client } = servers;
  const start = {
    projectId,
    pipelineName: 'Month End/close',
    environmentName: 'dev',
    executionTag: 'month-end',
  };
  const { pipelineExecutionId } = await client.executions.start(start);
  const refusal = await client.executions.start(start).catch((error: unknown) => error);
  expectThat(refusal instanceof TagConflict, 'a second execution with a busy tag is refused');
  narrator.say(
    '"Month End/close" is running with the execution tag month-end. A second start with this tag is refused:',
  );
  narrator.quote([messageOf(refusal)]);
  await client.executions.terminate({
    projectId,
    pipelineExecutionId,
    status: 'CANCELLED',
    forceUpdate: true,
  });
  rows.push(['second execution under a busy tag', 'client', 'refused (409)']);

  const again = await release(servers, tag, commit);
  expectThat(
    again.exitCode === 0 && again.outputs.outcome === 'already-done',
    'a second release of the same tag ends as already-done',
  );
  narrator.say(`The release workflow of ${tag} runs again: ${again.outputs.outcome ?? ''}, nothing is sent.`);
  rows.push([`second release of ${tag}`, 'actions/release', again.outputs.outcome ?? '']);

  const statuses = servers.github.repository(repository).statuses.length;
  const answers = [
    await deliver(workerUrl, delivery),
    await deliver(workerUrl, { ...delivery, id: crypto.randomUUID() }),
  ];
  // An unwanted promotion would appear within a moment. The tests check this more strictly.
  await delay(500, undefined, { signal });
  expectThat(
    servers.github.repository(repository).statuses.length === statuses,
    'a second delivery starts no promotion',
  );
  expectThat(
    answers.every((status) => status === 200),
    `the worker answers 200 to a known delivery (${answers.join(', ')})`,
  );
  narrator.say(
    'GitHub sends the same webhook two more times, once with a new delivery id. The worker answers 200 and starts no promotion.',
  );
  rows.push(['the same webhook, two more times', 'worker', 'recognized, nothing done']);
}
