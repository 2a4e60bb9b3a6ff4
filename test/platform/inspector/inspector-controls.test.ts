import { expect, test } from 'vitest';
import { defaultSeed } from '../../../platform/index.ts';
import { kindsOfFault } from '../../../platform/faults/fault-kinds.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { field, type Talk, talk } from '../talk.ts';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Sends a form as a browser does from a page of this site. */
async function submit({ platform }: Talk, path: string, form: Record<string, string>, site = 'same-origin') {
  const { status, headers } = await fetch(`${platform.baseUrl}/_platform/${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept, 'sec-fetch-site': site },
    body: new URLSearchParams(form),
  });
  return { status, to: headers.get('location') };
}

async function page({ platform }: Talk, path: string): Promise<string> {
  return (await fetch(`${platform.baseUrl}/_platform${path}`, { headers: { accept } })).text();
}

test.each(kindsOfFault)('the form adds the fault "$title", which strikes once', async ({ name, rule }) => {
  await using platform = await talk();
  const fault = { operation: 'projects.list', fault: name, times: '1' };
  expect(await submit(platform, 'faults', fault)).toEqual({ status: 303, to: '/_platform/faults' });
  const { rules } = (await platform.get('/_platform/faults')).body as { rules: object[] };
  const { latency: _, ...same } = rule;
  expect(rules).toEqual([
    expect.objectContaining({ ...same, operation: 'projects.list', times: 1, calls: 0 }),
  ]);
});

test('the forms set the rate limit, add a fault of every call, and remove all faults', async () => {
  await using platform = await talk();
  await submit(platform, 'faults', { rateLimit: '7' });
  await submit(platform, 'faults', { operation: '', fault: 'error', times: '' });
  expect((await platform.get('/_platform/faults')).body).toMatchObject({
    rateLimit: 7,
    rules: [{ status: 500 }],
  });
  expect((await platform.get('/v1/projects')).status).toBe(500);
  expect(await page(platform, '/faults')).toContain('Remove all faults');
  await submit(platform, 'faults/clear', {});
  expect((await platform.get('/_platform/faults')).body).toEqual({ rules: [], rateLimit: false });
  expect(await page(platform, '/faults')).not.toContain('Remove all faults');
});

test('the forms freeze, move and resume the clock', async () => {
  await using platform = await talk();
  const clock = async () => (await platform.get('/_platform/clock')).body;
  expect(await submit(platform, 'clock/freeze', {})).toEqual({ status: 303, to: '/_platform/clock' });
  expect(await clock()).toMatchObject({ frozen: true });
  await submit(platform, 'clock/advance', { by: '90s' });
  expect(await clock()).toMatchObject({ aheadMs: 90_000 });
  await submit(platform, 'clock/resume', {});
  expect(await clock()).toMatchObject({ frozen: false, aheadMs: 90_000 });
});

test('a form of another site, or with a wrong value, changes nothing', async () => {
  await using platform = await talk();
  const fault = { operation: '', fault: 'error', times: '' };
  for (const site of ['cross-site', 'same-site', 'none'])
    expect(await submit(platform, 'faults', fault, site)).toMatchObject({ status: 403 });
  for (const wrong of [{ operation: 'nothing' }, { fault: 'flood' }, { times: 'x' }])
    expect(await submit(platform, 'faults', { ...fault, ...wrong })).toMatchObject({ status: 400 });
  expect(await submit(platform, 'clock/advance', { by: 'soon' })).toMatchObject({ status: 400 });
  expect((await platform.get('/_platform/faults')).body).toEqual({ rules: [], rateLimit: false });
  expect((await platform.get('/_platform/clock')).body).toMatchObject({ aheadMs: 0 });
});

test('requests are filtered by operation, answer and text, and the chips keep the other filters', async () => {
  await using platform = await talk();
  await platform.get('/v1/projects');
  await platform.get('/v1/projects?page=nothing');
  await platform.post('/v1/projects', {});
  platform.platform.faults.set([{ operation: 'projects.list', status: 503 }]);
  await platform.get('/v1/projects');
  const found = async (query: string) => {
    const { requests } = (await platform.get(`/_platform/requests?${query}`)).body as {
      requests: { method: string; status: number }[];
    };
    return requests.map(({ method, status }) => `${method} ${status}`);
  };
  expect(await found('result=good')).toEqual(['GET 200']);
  expect(await found('result=refused')).toEqual(['GET 400', 'POST 400']);
  expect(await found('result=refused&text=post+%2Fv1')).toEqual(['POST 400']);
  expect(await found('result=fault&operation=projects.list&text=')).toEqual(['GET 503']);
  expect(await found('result=&operation=')).toHaveLength(4);
  expect((await platform.get('/_platform/requests?result=strange')).status).toBe(400);
  const text = await page(platform, '/requests?result=refused&text=%22post');
  expect(text).toContain('No request matches the filter.');
  expect(text).toContain('value="&#34;post"');
  expect(text).toContain('/_platform/requests?text=%22post&#38;result=refused&#38;operation=projects.list');
});

test('the steps of an execution are drawn where they were on its time line', async () => {
  await using platform = await talk({
    seed: { ...defaultSeed, executions: [{ pipeline: 'daily/load', component: 'Done', after: '30s' }] },
  });
  await platform.publish('1', { 'daily/load.orch.yaml': orchestration });
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'daily/load',
    environmentName: 'dev',
    executionTag: 'nightly',
  });
  const path = `/executions/${field(started, 'pipelineExecutionId')}`;
  await platform.platform.clock.advance('10s');
  expect(await page(platform, path)).toMatch(/<rect class="bar move" x="0\.0" y="2" width="1000\.0"/);
  await platform.platform.clock.advance('1m');
  const bars = [
    ...(await page(platform, path)).matchAll(/<rect class="bar (\w+)" x="([\d.]+)" y="2" width="([\d.]+)"/g),
  ];
  expect(bars.map(([, ...bar]) => bar)).toEqual([
    ['good', '0.0', '4.0'],
    ['good', '0.0', '1000.0'],
  ]);
});
