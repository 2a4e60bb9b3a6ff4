import { describe, expect, test } from 'vitest';
import { raw } from './raw.ts';
import { field, type Talk, talk } from './talk.ts';

const own = { headers: { 'x-millrace-platform': '1' } };
const variable = (name: string) => ({ name, type: 'TEXT', behaviour: 'SHARED', value: 'x' });

describe('faults over HTTP', () => {
  test('PUT replaces, POST adds, DELETE removes, GET shows how often each struck', async () => {
    await using platform = await talk();
    const put = await platform.send('PUT', '/_platform/faults', [{ status: 500, times: 1 }], own);
    expect(put).toMatchObject({
      status: 200,
      body: { rules: [{ status: 500, calls: 0 }], rateLimit: false },
    });
    const more = { rules: [{ operation: 'projects.list', latency: '2s', nth: 9 }], rateLimit: 50 };
    await platform.post('/_platform/faults', more, own);
    await platform.get('/v1/projects');
    await platform.get('/v1/events');
    expect((await platform.get('/_platform/faults')).body).toEqual({
      rules: [
        { seed: 1, status: 500, times: 1, calls: 2, struck: 1 },
        { seed: 1, operation: 'projects.list', latency: 2000, nth: 9, calls: 1, struck: 0 },
      ],
      rateLimit: 50,
    });
    await platform.post('/_platform/faults', [], own);
    expect((await platform.get('/_platform/faults')).body).toMatchObject({ rateLimit: 50 });
    await platform.send('PUT', '/_platform/faults', { rules: [] }, own);
    expect((await platform.get('/_platform/faults')).body).toEqual({ rules: [], rateLimit: false });
    await platform.post('/_platform/faults', [{ status: 500 }], own);
    const cleared = await platform.delete('/_platform/faults', own);
    expect(cleared.body).toEqual({ rules: [], rateLimit: false });
    expect((await platform.get('/v1/projects')).status).toBe(200);
  });

  test.each([
    [[{ operation: 'projects.lists', status: 500 }], 'rules[0].operation is wrong'],
    [[{ stauts: 500 }], 'rules[0].stauts is not a known field'],
    [[{ nth: 1 }], 'rules[0] has no effect: add status, latency or wire'],
    [[{ status: 700 }], 'rules[0].status is wrong'],
    [[{ status: 500, nth: 0 }], 'rules[0].nth is wrong'],
    [[{ status: 500, probability: 2 }], 'rules[0].probability is wrong'],
    [[{ latency: 'soon' }], 'rules[0].latency'],
    [[{ wire: 'explode' }], 'rules[0].wire is wrong'],
    [[{ wire: 'silence', status: 500 }], 'rules[0].status is never sent with wire silence'],
    [[{ wire: 'refuse', processed: true }], 'rules[0].processed cannot be true with wire refuse'],
    [[{ wire: 'reset-after', processed: false }], 'rules[0].processed cannot be false with wire reset-after'],
    [[{ wire: 'truncated', interval: 5 }], 'rules[0].interval is allowed only together with wire: dribble'],
    [[{ wire: 'dribble', body: 'x' }], 'rules[0].body needs a status'],
    [[{ status: 200, body: 'x', bodyBytes: 5 }], 'rules[0].bodyBytes cannot be combined with body'],
    [[{ status: 200, bodyBytes: 5, wire: 'truncated' }], 'rules[0].bodyBytes cannot be combined with wire'],
    [[{ status: 200, headers: { 'a b': 'x' } }], 'rules[0].headers'],
    [[{ status: 200, headers: { a: 'x\r\ny: z' } }], 'rules[0].headers.a'],
    [{ rateLimit: 0 }, 'rateLimit is wrong'],
    [5, 'the value is wrong'],
  ])('a plan that is wrong is refused with the field: %j', async (plan, sentence) => {
    await using platform = await talk();
    const answer = await platform.send('PUT', '/_platform/faults', JSON.stringify(plan), {
      headers: { ...own.headers, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(field(answer, 'violations')).toContain(sentence);
    expect((await platform.get('/_platform/faults')).body).toEqual({ rules: [], rateLimit: false });
  });

  test('a wrong plan in a program is a failure that names the field', async () => {
    await expect(talk({ faults: [{ status: 99 }] })).rejects.toMatchObject({ code: 'config-invalid' });
    await using platform = await talk();
    expect(() => platform.platform.faults.set([{ wire: 'empty', status: 500 }])).toThrow(
      'The fault plan is invalid: rules[0].status is never sent with wire empty',
    );
  });

  test('faults never strike the platform itself', async () => {
    await using platform = await talk({ faults: { rules: [{ wire: 'refuse' }], rateLimit: 1 } });
    for (let i = 0; i < 3; i += 1) expect((await platform.get('/_platform/faults')).status).toBe(200);
    expect((await platform.get('/_platform/requests')).body).toEqual({ counts: {}, requests: [] });
  });
});

describe('the ledger', () => {
  test('says every effect in order, by which request, and what had none is not there', async () => {
    await using platform = await talk();
    const ids: (string | null)[] = [];
    const did = async (answer: ReturnType<Talk['get']>) =>
      ids.push((await answer).headers.get('x-request-id'));
    const { project } = platform;
    const version = { environmentName: 'test', versionName: '1' };
    const overrides = `${project}/variables/v/environment-overrides`;
    await did(platform.publish('1'));
    const promotion = { versionName: '1', sourceEnvironmentName: 'dev', targetEnvironmentName: 'test' };
    await did(platform.post(`${project}/artifacts/promotions`, promotion));
    await platform.post(`${project}/artifacts/promotions`, promotion);
    await did(platform.patch(`${project}/artifacts`, { ...version, enabled: false }));
    await did(platform.patch(`${project}/artifacts`, { ...version, enabled: true }));
    await did(platform.post(`${project}/variables`, variable('v')));
    await platform.post(`${project}/variables`, variable('v'));
    await did(platform.post(overrides, { overrides: [{ environmentName: 'dev', value: 'y' }] }));
    await did(platform.delete(`${overrides}/dev`));
    await did(platform.delete(`${project}/variables/v`));
    const start = platform.post(`${project}/pipeline-executions`, {
      pipelineName: 'daily/load',
      environmentName: 'dev',
    });
    await did(start);
    const answer = await platform.get('/_platform/ledger');
    const { effects } = answer.body as { effects: Record<string, unknown>[] };
    expect(effects.map((row) => `${String(row['operation'])} ${String(row['effect'])}`)).toEqual([
      'artifacts.create created',
      'artifacts.promote promoted',
      'artifacts.setEnabled disabled',
      'artifacts.setEnabled enabled',
      'variables.create created',
      'overrides.set set',
      'overrides.delete deleted',
      'variables.delete deleted',
      'executions.start started',
    ]);
    expect(effects.map((row) => row['requestId'])).toEqual(ids);
    expect(effects[0]).toEqual({
      seq: 1,
      at: '2031-01-01T12:00:00.000Z',
      effect: 'created',
      operation: 'artifacts.create',
      requestId: ids[0],
      project: platform.platform.projectId,
      subject: { type: 'artifact', id: 'dev/1', name: '1' },
      description: 'Version "1" was created in "dev" with 1 files',
      actor: '•••@example.com',
    });
    // A program has its own platform's ledger whole; over HTTP e-mail addresses are masked.
    expect(platform.platform.ledger()).toEqual(
      effects.map((row) => ({ ...row, actor: 'super-admin@example.com' })),
    );
  });

  test('an execution with repeated termination requests is terminated once', async () => {
    await using platform = await talk();
    const load =
      'type: "orchestration"\nversion: "1.0"\npipeline:\n  components:\n    Start:\n      type: "start"\n      transitions:\n        unconditional: ["Load"]\n    Load:\n      type: "sql-executor"\n      parameters:\n        componentName: "Load"\n';
    await platform.publish('1', { 'daily/load.orch.yaml': load });
    const path = `${platform.project}/pipeline-executions`;
    const started = await platform.post(path, { pipelineName: 'daily/load', environmentName: 'dev' });
    await platform.clock.asleep();
    const terminate = () =>
      platform.patch(`${path}/${field(started, 'pipelineExecutionId')}`, {
        status: 'CANCELLED',
        forceUpdate: false,
      });
    expect([(await terminate()).status, (await terminate()).status]).toEqual([200, 200]);
    expect(platform.platform.ledger({ effect: 'terminated' })).toHaveLength(1);
  });

  test('is asked by operation, project, subject, effect, request, and what came after', async () => {
    await using platform = await talk();
    await platform.post(`${platform.project}/variables`, variable('a'));
    const second = await platform.post(`${platform.project}/variables`, variable('b'));
    await platform.delete(`${platform.project}/variables/a`);
    await platform.post('/v1/projects', {
      name: 'q',
      warehouse: 'WAREHOUSE_ONE',
      agentDeploymentType: 'HYBRID',
    });
    const ask = async (query: string) => {
      const { effects } = (await platform.get(`/_platform/ledger?${query}`)).body as {
        effects: { seq: number }[];
      };
      return effects.map(({ seq }) => seq);
    };
    expect(await ask('operation=variables.create')).toEqual([1, 2]);
    expect(await ask(`project=${platform.platform.projectId}`)).toEqual([1, 2, 3]);
    expect(await ask('subject=a')).toEqual([1, 3]);
    expect(await ask(`subject=${field(second, 'id')}`)).toEqual([2]);
    expect(await ask('effect=deleted')).toEqual([3]);
    expect(await ask(`requestId=${String(second.headers.get('x-request-id'))}`)).toEqual([2]);
    expect(await ask('after=2&effect=created')).toEqual([4]);
    expect((await platform.get('/_platform/ledger?subjct=a')).status).toBe(400);
    expect((await platform.get('/_platform/ledger?effect=exploded')).status).toBe(400);
  });
});

describe('the requests', () => {
  test('are counted by operation and listed with status, request id and fate, refusals too', async () => {
    await using platform = await talk();
    await platform.get('/v1/projects');
    await platform.get('/v1/projects', { token: 'wrong' });
    await platform.post(`${platform.project}/variables`, {});
    await platform.get('/nowhere');
    const answer = await platform.get('/_platform/requests');
    expect(answer.body).toEqual({
      counts: { 'projects.list': 2, 'variables.create': 1 },
      requests: [
        expect.objectContaining({
          operation: 'projects.list',
          status: 200,
          outcome: 'answered',
          project: null,
        }),
        expect.objectContaining({ operation: 'projects.list', status: 401, outcome: 'answered' }),
        expect.objectContaining({ method: 'POST', status: 400, project: platform.platform.projectId }),
      ],
    });
    const some = await platform.get('/_platform/requests?operation=variables.create');
    expect((some.body as { requests: unknown[] }).requests).toHaveLength(1);
  });

  test('are kept to the newest thousand', async () => {
    await using platform = await talk({ faults: [{ status: 204 }] });
    for (let i = 0; i < 2100; i += 50)
      await Promise.all(Array.from({ length: 50 }, () => platform.get('/v1/projects')));
    const { counts, requests } = platform.platform.requests();
    expect(counts).toEqual({ 'projects.list': 2100 });
    expect(requests).toHaveLength(1000);
  });
});

describe('who may', () => {
  test('a change of the platform itself needs its header; reading does not', async () => {
    await using platform = await talk();
    for (const [method, path] of [
      ['PUT', '/_platform/faults'],
      ['POST', '/_platform/faults'],
      ['DELETE', '/_platform/faults'],
    ] as const) {
      const answer = await platform.send(method, path, method === 'DELETE' ? undefined : []);
      expect(answer).toMatchObject({ status: 403 });
      expect(field(answer, 'error')).toContain('x-millrace-platform: 1');
    }
    expect((await platform.get('/_platform/faults')).status).toBe(200);
  });

  test.each([
    ['localhost:PORT', 200],
    ['127.0.0.1:PORT', 200],
    ['127.0.0.1', 200],
    ['[::1]:PORT', 200],
    ['LocalHost', 200],
    ['evil.example.com:PORT', 403],
    ['localhost.example.com', 403],
    ['127.0.0.1.example.com', 403],
    ['127.0.0.1@example.com', 403],
    ['10.0.0.1', 403],
    ['', 403],
  ])('the Host "%s" is answered %i, on the API and on the platform’s own routes', async (host, status) => {
    await using platform = await talk();
    const headers = [
      `host: ${host.replace('PORT', new URL(platform.platform.baseUrl).port)}`,
      'connection: close',
    ];
    for (const path of ['/v1/projects', '/_platform/ledger', '/_platform/openapi.json']) {
      const answer = await raw(platform, `GET ${path}`, { headers });
      expect(answer.text).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    }
    expect(platform.platform.requests().requests).toHaveLength(status === 200 ? 1 : 0);
  });

  test('a platform that listens for others is called by any name', async () => {
    await using platform = await talk({ host: '0.0.0.0' });
    const answer = await raw(platform, 'GET /v1/projects', {
      headers: ['host: platform.example.com', 'connection: close'],
    });
    expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
  });
});
