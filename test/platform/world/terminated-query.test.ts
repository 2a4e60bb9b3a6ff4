import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { endOfExecution, readExecution, runExecution, startExecution } from './run-execution.ts';
import { talk, type Talk } from '../talk.ts';

const orchestration = (sqlScript: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Query] } }
    Query: { type: sql-script, parameters: { sqlScript: ${JSON.stringify(sqlScript)} } }
`;

const numbers = (count: number) =>
  `with recursive d as (select 0 as n union all select n + 1 from d where n < ${count - 1})`;

/** Each would take hours. */
const queries: Readonly<Record<string, string>> = {
  recursion: 'with recursive r as (select 1 as n union all select n from r) select count(*) from r',
  product: `${numbers(3_000)} select count(*) from d a, d b, d c, d d where a.n + b.n + c.n = -d.n - 1`,
  texts: `${numbers(3_000)} select max(length(replace(repeat(to_varchar(a.n), 500), '1', 'xyz'))) from d a, d b, d c`,
  sort: `create table sorted as ${numbers(3_000)} select row_number() over (order by md5(to_varchar(a.n + b.n * c.n))) as n from d a, d b, d c`,
};

let platform: Talk;
beforeAll(async () => {
  const seed: Seed = { ...defaultSeed, settings: { execution: 'engine', componentTime: 0 } };
  platform = await talk({ seed });
  const files = Object.entries(queries).map(
    ([name, sql]) => [`${name}.orch.yaml`, orchestration(sql)] as const,
  );
  await platform.publish('1', { ...Object.fromEntries(files), 'short.orch.yaml': orchestration('select 1') });
});
afterAll(() => platform[Symbol.asyncDispose]());

test.each(Object.keys(queries))(
  'a terminated execution ends its query, and the next one runs: %s',
  async (name) => {
    const id = await startExecution(platform, name);
    await eventually(async () => (await readExecution(platform, id)).steps).toContainEqual(
      expect.objectContaining({ component: 'Query', status: 'RUNNING' }),
    );
    await platform.patch(`${platform.project}/pipeline-executions/${id}`, {
      status: 'CANCELLED',
      forceUpdate: true,
    });
    const ended = await endOfExecution(platform, id);
    expect(ended).toMatchObject({ status: 'CANCELLED' });
    expect(ended.steps.at(-1)).toMatchObject({ component: 'Query', status: 'CANCELLED' });
    expect(await runExecution(platform, 'short')).toMatchObject({ status: 'SUCCESS' });
  },
);
