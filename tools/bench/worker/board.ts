import process from 'node:process';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { manyRepositories, repositoryEntries } from '../../../test/worker/web/dashboard/many-repositories.ts';
import { withOperators, tokens } from '../../../test/worker/web/dashboard/operators.ts';
import { quietDashboard } from '../../../test/worker/web/dashboard/quiet-dashboard.ts';
import { type Row, sampleOf } from '../measure.ts';
import { startBenchRedis } from './bench-redis.ts';

const lanes = 1_000;
const rounds = 9;

/** The maximum cost of the dashboard: milliseconds and kilobytes of one page. */
const limits = { ms: 300, kilobytes: 200 };

/** The board of a thousand lanes: how long its first page takes, and how large it is. */
export async function board(): Promise<Row[]> {
  await using server = await startBenchRedis();
  const redis = connectRedis({ address: server.address, role: 'worker' });
  try {
    await using dashboard = await quietDashboard(redis, withOperators('', repositoryEntries(lanes)));
    await manyRepositories(redis, dashboard.prefix, lanes, { versions: 1 });
    const pages: { readonly ms: number; readonly cpu: number; readonly bytes: number }[] = [];
    const cookie = await signIn(dashboard.url);
    for (let round = 0; round <= rounds; round += 1) {
      const begin = performance.now();
      const used = process.cpuUsage();
      const answer = await fetch(`${dashboard.url}/`, { headers: { cookie } });
      const body = await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`the board answered ${answer.status}`);
      const ms = performance.now() - begin;
      const { user, system } = process.cpuUsage(used);
      // The first one warms up.
      if (round > 0) pages.push({ ms, cpu: (user + system) / 1_000, bytes: body.byteLength });
    }
    const row = (what: string, values: readonly number[], limit: number, unit?: string): Row => ({
      what,
      ours: sampleOf(values),
      reference: sampleOf([limit]),
      referenceName: 'limit',
      ...(unit === undefined ? {} : { unit }),
    });
    return [
      row(
        `board of ${lanes} lanes, first page`,
        pages.map(({ ms }) => ms),
        limits.ms,
      ),
      row(
        'its CPU, with the reader’s',
        pages.map(({ cpu }) => cpu),
        limits.ms,
      ),
      row(
        `its size`,
        pages.map(({ bytes }) => bytes / 1_000),
        limits.kilobytes,
        ' kB',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** The cookie of a new session. */
async function signIn(url: string): Promise<string> {
  const { headers } = await fetch(`${url}/session`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ token: tokens.root }),
  });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}
