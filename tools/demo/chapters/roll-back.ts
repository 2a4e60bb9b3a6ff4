import { silentLogger, silentProgress } from '../../../lib/core/ports.ts';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { rollback } from '../../../flows/index.ts';
import { awaitStatus } from '../await-status.ts';
import { expectThat, type Plot } from '../plot.ts';
import { deliver, pushDelivery } from '../webhook.ts';
import { releaseOfVersion } from './release.ts';

/** A second version follows the first, and is rolled back in prod. */
export async function rollBack(
  plot: Plot,
  { projectId, workerUrl }: { projectId: string; workerUrl: string },
): Promise<void> {
  const { stage, tell, rows, signal } = plot;
  const tag = 'v1.1.0';
  await stage.builder.commit(
    'main',
    { 'sql/regions.sql': 'select region, sum(amount) from sales group by region;\n' },
    { message: 'Regions by amount' },
  );
  const commit = await releaseOfVersion(plot, tag);
  await deliver(workerUrl, await pushDelivery(stage, tag));
  for (const context of ['millrace/to-test', 'millrace/to-prod']) {
    expectThat(
      (await awaitStatus(plot, { commit, context, seconds: 60 })) === 'success',
      `${context} ends in success`,
    );
  }
  rows.push([`${tag} to test and prod`, 'worker, after a push', 'promoted, verified by daily/load']);

  tell.chapter(`${tag} is rolled back in prod`);
  const report = await rollback(
    { environment: 'prod', version: tag, dryRun: false },
    {
      client: stage.client,
      projectId,
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
      progress: silentProgress,
      signal,
    },
  );
  const { results } = await stage.client.artifacts.list({ projectId, environmentName: 'prod' });
  const enabled = results.map(({ versionName }) => versionName);
  expectThat(enabled.join() === 'v1.0.0' && report.live === 'v1.0.0', 'the version before is live again');
  tell.say(
    `${report.disabled} is disabled in prod; executions there use ${report.live} again. It stays in test, where it is not in the way.`,
  );
  rows.push([`rollback of ${tag} in prod`, 'millrace rollback', `${report.live} is live again`]);
}
