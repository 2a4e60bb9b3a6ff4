import { describe, expect, test } from 'vitest';
import { startPlatform } from '../../platform/index.ts';
import { pipeline, startThen } from '../engine/execution/execute.ts';
import { type Answer, field, resultsOf, type Talk, talk } from './talk.ts';

const own = { headers: { 'x-millrace-platform': '1' } };
const clock = (platform: Talk, verb: string, body?: unknown) =>
  platform.post(`/_platform/clock/${verb}`, body, own);

/** Ten components, 50 ms each. */
const long = pipeline({
  Start: startThen('W0'),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `W${String(i)}`,
      { type: 'sql-executor', transitions: i < 9 ? { success: [`W${String(i + 1)}`] } : {} },
    ]),
  ),
});

async function started(platform: Talk): Promise<() => Promise<Record<string, unknown>>> {
  await platform.publish('1', { 'long.orch.yaml': long });
  const path = `${platform.project}/pipeline-executions`;
  const answer = await platform.post(path, { pipelineName: 'long', environmentName: 'dev' });
  expect(answer.status).toBe(201);
  return async () => {
    const found = await platform.get(`${path}/${field(answer, 'pipelineExecutionId')}`);
    return (found.body as { result: Record<string, unknown> }).result;
  };
}

describe('the clock', () => {
  test('shows the time, freezes, moves and resumes', async () => {
    await using platform = await talk();
    expect((await platform.get('/_platform/clock')).body).toEqual({
      now: '2031-01-01T12:00:00.000Z',
      frozen: false,
      aheadMs: 0,
    });
    await clock(platform, 'freeze');
    await platform.clock.advance(5000);
    expect((await clock(platform, 'advance', { by: '30m' })).body).toEqual({
      now: '2031-01-01T12:30:00.000Z',
      frozen: true,
      aheadMs: 1_795_000,
    });
    await clock(platform, 'resume');
    await platform.clock.advance(1000);
    expect((await platform.get('/_platform/clock')).body).toMatchObject({ now: '2031-01-01T12:30:01.000Z' });
  });

  test.each([[{}], [{ by: 'soon' }], [{ by: -5 }], [{ by: '5m', too: 1 }]])(
    'a move that is none is refused: %j',
    async (body) => {
      await using platform = await talk();
      expect((await clock(platform, 'advance', body)).status).toBe(400);
      await expect(platform.platform.clock.advance('soon')).rejects.toMatchObject({ code: 'config-invalid' });
    },
  );

  test('an execution follows it to its end, component by component, without a wait (on the machine’s own clock)', async () => {
    await using platform = await talk({
      clock: (await import('../../lib/core/ports/system-clock.ts')).systemClock,
    });
    await clock(platform, 'freeze');
    const read = await started(platform);
    await clock(platform, 'advance', { by: 499 });
    expect((await read())['status']).toBe('RUNNING');
    await clock(platform, 'advance', { by: 1 });
    const ended = await read();
    expect(ended['status']).toBe('SUCCESS');
    expect(Date.parse(String(ended['finishedAt'])) - Date.parse(String(ended['startedAt']))).toBe(500);
  });

  test('tokens expire, streams start and the audit window passes by it', async () => {
    await using platform = await talk();
    const { clientId = '', clientSecret = '' } = platform.platform.clientCredentials ?? {};
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const token = field(await platform.post('/oauth/token', new URLSearchParams(grant)), 'access_token');
    await platform.publish('1');
    expect(resultsOf(await platform.get('/v1/events'))).toHaveLength(1);
    await clock(platform, 'advance', { by: '29m' });
    expect((await platform.get('/v1/projects', { token })).status).toBe(200);
    await clock(platform, 'advance', { by: '1m' });
    expect((await platform.get('/v1/projects', { token })).status).toBe(401);
    await clock(platform, 'advance', { by: '91d' });
    expect(resultsOf(await platform.get('/v1/events'))).toHaveLength(0);
    expect(platform.platform.ledger()).toHaveLength(1);
  });

  test('a program moves it too', async () => {
    await using platform = await talk();
    const read = await started(platform);
    await platform.platform.clock.advance('1s');
    expect((await read())['status']).toBe('SUCCESS');
    expect(platform.platform.clock.now()).toBe(Date.UTC(2031, 0, 1, 12, 0, 1));
  });

  test('to touch it needs the header', async () => {
    await using platform = await talk();
    for (const verb of ['clock/freeze', 'clock/advance', 'clock/resume', 'reset'])
      expect((await platform.post(`/_platform/${verb}`, {})).status).toBe(403);
  });
});

describe('reset', () => {
  const variable = (name: string) => ({ name, type: 'TEXT', behaviour: 'SHARED', value: 'x' });

  test('plants the seed again: the same ids and tokens, nothing else, and the faults of the start', async () => {
    await using platform = await talk({ faults: [{ operation: 'audit.list', nth: 1, status: 500 }] });
    const environments = (await platform.get(`${platform.project}/environments`)).body;
    await platform.publish('1');
    await platform.post(`${platform.project}/variables`, variable('v'));
    await platform.get('/v1/events');
    platform.platform.faults.add([{ operation: 'projects.list', status: 500 }]);
    await clock(platform, 'freeze');
    await clock(platform, 'advance', { by: '5d' });

    expect((await platform.post('/_platform/reset', undefined, own)).status).toBe(204);
    expect((await platform.get('/v1/projects')).status).toBe(200);
    expect((await platform.get(`${platform.project}/environments`)).body).toEqual(environments);
    expect(resultsOf(await platform.get(`${platform.project}/variables`))).toEqual([]);
    expect(resultsOf(await platform.get(`${platform.project}/artifacts/`))).toEqual([]);
    expect((await platform.get('/v1/events')).status).toBe(500);
    expect(platform.platform.ledger()).toEqual([]);
    expect(platform.platform.requests().requests[0]).toMatchObject({ operation: 'projects.list' });
    expect((await platform.get('/_platform/clock')).body).toMatchObject({ frozen: false, aheadMs: 0 });
    expect((await platform.publish('1')).status).toBe(201);
    expect(platform.platform.ledger()[0]?.seq).toBe(1);
  });

  test('ends what runs and fills the script again, and no walk from before writes into the new state', async () => {
    const seed = {
      ids: 5,
      projects: [{ name: 'p', environments: ['dev'] }],
      credentials: [{ name: 'boss', role: 'superAdmin' as const }],
      executions: [{ pipeline: 'long', component: 'W0', outcome: 'failure' as const, times: 1 }],
    };
    await using platform = await talk({ seed });
    const first = await started(platform);
    await platform.platform.clock.advance('1m');
    expect((await first())['status']).toBe('FAILED');
    platform.platform.reset();
    const second = await started(platform);
    await platform.clock.asleep();
    platform.platform.reset();
    const third = await started(platform);
    await platform.platform.clock.advance('1m');
    // The same seed gave the same ids, so all three ask for the same execution.
    expect((await third())['status']).toBe('FAILED');
    expect(await second()).toEqual(await third());
  });

  test('a program resets it too, and a restart over the same folder finds the state of after', async () => {
    const { mkdtemp, rm } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const data = await mkdtemp(join(tmpdir(), 'platform-reset-'));
    let before;
    {
      await using platform = await talk({ data });
      before = platform.platform.tokens;
      await platform.publish('1');
      platform.platform.reset();
      await platform.publish('2');
    }
    await using platform = await talk({ data });
    expect(platform.platform.tokens).toEqual(before);
    const versions = resultsOf(await platform.get(`${platform.project}/artifacts/`));
    expect(versions.map((row) => row['versionName'])).toEqual(['2']);
    await rm(data, { recursive: true });
  });
});

describe('seeded ids', () => {
  const make = async (seed: number, polls: number) => {
    await using platform = await startPlatform({
      seed: { ids: seed, projects: [{ name: 'p' }], credentials: [{ name: 'boss', role: 'superAdmin' }] },
    });
    const { baseUrl, tokens } = platform;
    const headers = { authorization: `Bearer ${tokens.superAdmin}`, 'content-type': 'application/json' };
    for (let i = 0; i < polls; i += 1) await (await fetch(`${baseUrl}/v1/projects`, { headers })).text();
    const body = JSON.stringify({ name: 'q', warehouse: 'WAREHOUSE_ONE', agentDeploymentType: 'HYBRID' });
    const answer = await fetch(`${baseUrl}/v1/projects`, { method: 'POST', headers, body });
    return { tokens, id: platform.projectId, answer: await answer.json() };
  };

  test('are the same for the same seed, however often a caller asks in between', async () => {
    const [one, again, other] = [await make(7, 0), await make(7, 5), await make(8, 0)];
    expect(again).toEqual(one);
    expect(other.id).not.toBe(one.id);
    expect(other.tokens.superAdmin).not.toBe(one.tokens.superAdmin);
  });

  test('are after a reset what they were after the start', async () => {
    await using platform = await talk({
      seed: { ids: 7, projects: [{ name: 'p' }], credentials: [{ name: 'boss', role: 'superAdmin' }] },
    });
    const create = async () => {
      const body = { name: 'q', warehouse: 'WAREHOUSE_ONE', agentDeploymentType: 'HYBRID' };
      return field(await platform.post('/v1/projects', body), 'projectId');
    };
    const first = await create();
    platform.platform.reset();
    expect(await create()).toBe(first);
  });

  test('do not come a second time over the same folder', async () => {
    const { mkdtemp, rm } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const data = await mkdtemp(join(tmpdir(), 'platform-ids-'));
    const seed = { ids: 7, credentials: [{ name: 'boss', role: 'superAdmin' as const }] };
    const ids = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      await using platform = await talk({ data, ...(i === 0 ? { seed } : {}) });
      const body = { name: `q${String(i)}`, warehouse: 'WAREHOUSE_ONE', agentDeploymentType: 'HYBRID' };
      const answer: Answer = await platform.post('/v1/projects', body);
      expect(answer.status).toBe(201);
      ids.add(field(answer, 'projectId'));
    }
    expect(ids.size).toBe(3);
    await rm(data, { recursive: true });
  });
});
