import { setTimeout as delay } from 'node:timers/promises';
import { TagConflict } from '../../../client/index.ts';
import { repository } from '../stage.ts';
import { expectThat, type Plot } from '../plot.ts';
import { deliver, type Delivery } from '../webhook.ts';
import { release } from '../workflow.ts';

interface Before {
  readonly projectId: string;
  readonly workerUrl: string;
  readonly delivery: Delivery;
  readonly tag: string;
  readonly commit: string;
}

/** A busy tag is refused, a second publish does no harm, a second delivery does nothing. */
export async function nothingTwice({ stage, tell, rows, signal }: Plot, before: Before): Promise<void> {
  const { projectId, workerUrl, delivery, tag, commit } = before;
  tell.chapter('Nothing happens twice');
  const { client } = stage;
  const start = {
    projectId,
    pipelineName: 'Month End/close',
    environmentName: 'dev',
    executionTag: 'month-end',
  };
  const { pipelineExecutionId } = await client.executions.start(start);
  const refusal = await client.executions.start(start).catch((error: unknown) => error);
  expectThat(refusal instanceof TagConflict, 'a second execution with a busy tag is refused');
  tell.say('"Month End/close" runs with the tag month-end; a second start with that tag is refused:');
  tell.quote([refusal instanceof Error ? refusal.message : '']);
  await client.executions.terminate({
    projectId,
    pipelineExecutionId,
    status: 'CANCELLED',
    forceUpdate: true,
  });
  rows.push(['second execution under a busy tag', 'client', 'refused (409)']);

  const again = await release(stage, tag, commit);
  expectThat(
    again.exitCode === 0 && again.outputs.outcome === 'already-done',
    'the same release once more is already done',
  );
  tell.say(`The release workflow of ${tag} is run again: ${again.outputs.outcome ?? ''}, nothing was sent.`);
  rows.push([`release of ${tag}, again`, 'actions/release', again.outputs.outcome ?? '']);

  const statuses = stage.github.repository(repository).statuses.length;
  const answers = [
    await deliver(workerUrl, delivery),
    await deliver(workerUrl, { ...delivery, id: crypto.randomUUID() }),
  ];
  // A run that should not be would show within a moment; the tests look closer.
  await delay(500, undefined, { signal });
  expectThat(
    stage.github.repository(repository).statuses.length === statuses,
    'a second delivery starts no run',
  );
  expectThat(
    answers.every((status) => status === 200),
    `a delivery that was seen is answered 200 (${answers.join(', ')})`,
  );
  tell.say('The same webhook comes again, once under a new delivery id: answered 200, no run is made.');
  rows.push(['the same webhook, twice more', 'worker', 'known, nothing done']);
}
