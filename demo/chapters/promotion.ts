import { awaitStatus } from '../await-status.ts';
import { expectThat, type Plot } from '../plot.ts';
import { deliver, type Delivery, pushDelivery } from '../webhook.ts';

interface Pushed {
  readonly projectId: string;
  readonly workerUrl: string;
  readonly tag: string;
  readonly commit: string;
}

/** A signed webhook makes the worker promote the version through the lanes; gives the delivery. */
export async function promotion(
  plot: Plot,
  { projectId, workerUrl, tag, commit }: Pushed,
): Promise<Delivery> {
  const { stage, tell, rows } = plot;
  tell.chapter('The push webhook promotes it, environment by environment');
  const delivery = await pushDelivery(stage, tag);
  const answer = await deliver(workerUrl, delivery);
  expectThat(answer === 202, `the worker accepts the signed webhook (it answered ${answer})`);
  tell.say(
    `GitHub delivers the push of ${tag}, signed. The worker checks, stores it and answers 202. The commit’s statuses:`,
  );
  for (const context of ['millrace/to-test', 'millrace/to-prod']) {
    const state = await awaitStatus(plot, { commit, context, seconds: 60 });
    expectThat(state === 'success', `${context} ends in success`);
  }
  for (const environmentName of ['test', 'prod']) {
    const { results } = await stage.client.artifacts.list({ projectId, environmentName });
    expectThat(
      results.some(({ versionName, enabled }) => versionName === tag && enabled),
      `${tag} is live in ${environmentName}`,
    );
    rows.push([`${tag} to ${environmentName}`, 'worker, after a push', 'promoted, verified by daily/load']);
  }
  tell.say(
    'In each environment daily/load ran to its end under an execution tag before the next one was touched.',
  );
  return delivery;
}
