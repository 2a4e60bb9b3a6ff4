import { Pool } from 'undici';
import { pairwise, pairwiseOf, type Row } from '../measure.ts';
import { startListServer } from '../servers/start-list-server.ts';

// Many short rounds in turn: on a machine that others use too, a slow moment meets both sides.
const requests = 250;
const rounds = 15;
const warmUps = 3000;
const inFlight = 32;

/** The platform's lists of 25 against a bare fastify route with the same answer, each server a process of its own. */
export async function platformLists(): Promise<Row[]> {
  await using platform = await startListServer('platform');
  await using bare = await startListServer('bare');
  const headers = { authorization: `Bearer ${platform.token}` };
  const lists = [
    'projects',
    `projects/${platform.projectId}/environments`,
    `projects/${platform.projectId}/variables`,
  ];
  const ours = new Pool(platform.url, { connections: inFlight });
  const ask = async (pool: Pool, path: string): Promise<unknown> => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
    return body.json();
  };
  const answers: Record<string, unknown> = {};
  for (const list of lists) answers[`/v1/${list}`] = await ask(ours, `/v1/${list}`);
  const theirs = new Pool(await bare.serve(answers), { connections: inFlight });
  const repeat = async (pool: Pool, path: string, times = requests): Promise<void> => {
    let left = times;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const { body } = await pool.request({ path, method: 'GET', headers });
        await body.dump({ limit: Infinity });
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
  };
  const rows: Row[] = [];
  for (const list of lists) {
    const path = `/v1/${list}`;
    const what = `${requests} requests for ${list.split('/').at(-1)}`;
    const referenceName = 'a bare fastify route, same answer';
    await repeat(ours, path, warmUps);
    await repeat(theirs, path, warmUps);
    const both = await pairwise(
      rounds,
      () => repeat(ours, path),
      () => repeat(theirs, path),
    );
    rows.push({ what, ...both, referenceName });
    const processor = async (server: typeof bare, pool: Pool): Promise<number> => {
      const before = await server.processorMs();
      await repeat(pool, path);
      return (await server.processorMs()) - before;
    };
    const times = await pairwiseOf(
      rounds,
      () => processor(platform, ours),
      () => processor(bare, theirs),
    );
    rows.push({ what: `${what}, processor time of the server`, ...times, referenceName });
  }
  await Promise.all([ours.close(), theirs.close()]);
  return rows;
}
