import { silentLogger, silentProgress } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { rollback } from '../../../flows/rollback/rollback.ts';
import { awaitStatus } from '../await-status.ts';
import { expectThat, type Demo } from '../demo.ts';
import { deliver, pushDelivery } from '../webhook.ts';
import { releaseTag } from './release.ts';

/** Releases and promotes a second version, and rolls it back in prod. */
export async function rollBack(
  demo: Demo,
  { projectId, workerUrl }: { projectId: string; workerUrl: string },
): Promise<void> {
  const { servers, narrator, rows, signal } = demo;
  const tag = 'v1.1.0';
  await servers.builder.commit(
    'main',
    { 'sql/regions.sql': 'select region, sum(amount) from sales group by region;\n' },
    { message: 'Regions by amount' },
  );
  const commit = await releaseTag(demo, tag);
  await deliver(workerUrl, await pushDelivery(servers, tag));
  for (const context of ['millrace/to-test', 'millrace/to-prod']) {
    expectThat(
      (await awaitStatus(demo, { commit, context, seconds: 60 })) === 'success',
      `${context} ends with success`,
    );
  }
  rows.push([`${tag} to test and prod`, 'worker, after a push', 'promoted, verified by daily/load']);

  narrator.chapter(`Roll back ${tag} in prod`);
  const report = await rollback(
    { environment: 'prod', version: tag, dryRun: false },
    {
      client: servers.client,
      projectId,
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
      progress: silentProgress,
      signal,
    },
  );
  const { results } = await servers.client.artifacts.list({ projectId, environmentName: 'prod' });
  const enabled = results.map(({ versionName }) => versionName);
  expectThat(enabled.join() === 'v1.0.0' && report.live === 'v1.0.0', 'the previous version is live again');
  narrator.say(
    `${report.disabled} is disabled in prod, so executions there use ${report.live} again. It stays enabled in test.`,
  );
  rows.push([`rollback of ${tag} in prod`, 'millrace rollback', `${report.live} is live again`]);
}
