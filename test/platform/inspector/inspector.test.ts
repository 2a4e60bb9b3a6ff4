import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { field, form, type Talk, talk } from '../talk.ts';

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

/** A page as a browser gets it: its text and its headers. */
async function open(platform: Talk, path: string) {
  const { status, headers, text } = await fetch(
    `${platform.platform.baseUrl}/_platform${path}`,
    browser,
  ).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }));
  return { status, headers, text };
}

/** The page of the newest request, as JSON. */
async function newestRequest(platform: Talk): Promise<Record<string, unknown>> {
  const entry = platform.platform.requests().requests.at(-1);
  const answer = await platform.get(`/_platform/requests/${entry?.requestId ?? ''}`);
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>;
}

const pages = [
  '',
  '/requests',
  '/executions',
  '/streaming',
  '/versions',
  '/audit',
  '/ledger',
  '/faults',
  '/clock',
];

test.each(pages)(
  'the page "%s" is HTML for a browser, and JSON for other clients or on request',
  async (path) => {
    await using platform = await talk();
    const page = await open(platform, path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toMatch(/^<!doctype html>\s*<html lang="en">[^]*<h1>[^]*<\/html>$/);
    const json = (await platform.get(`/_platform${path}`)).body;
    expect(json).toBeTypeOf('object');
    for (const twin of [`${path}?format=json`, ...(path === '' ? [] : [`${path}.json`])]) {
      const asked = await open(platform, twin);
      expect(asked.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(JSON.parse(asked.text)).toEqual(json);
    }
    expect(
      (await fetch(`${platform.platform.baseUrl}/_platform${path}?format=html`)).headers.get('content-type'),
    ).toMatch('text/html');
  },
);

test('a page loads only its own stylesheet and script, and cannot be framed', async () => {
  await using platform = await talk();
  const { headers, text } = await open(platform, '');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/_platform/live.js">']);
  expect(text).not.toMatch(/\son\w+=|\sstyle=|https?:/);
  const script = await fetch(`${platform.platform.baseUrl}/_platform/live.js`);
  expect([script.status, script.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  const style = await fetch(`${platform.platform.baseUrl}/_platform/inspector.css`);
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
});

describe('a request', () => {
  test('is shown with headers, body, answer, the reasons of a refusal and a line to repeat it', async () => {
    await using platform = await talk();
    await platform.post(`${platform.project}/variables`, {
      name: 'day',
      type: 'TEXT',
      value: 5,
      more: "it's",
    });
    const shown = await newestRequest(platform);
    expect(shown).toMatchObject({
      operation: 'variables.create',
      status: 400,
      reasons: expect.arrayContaining(['more is not a known field', 'behaviour must not be null']),
      body: { text: expect.stringContaining('"name":"day"'), beginningOf: null },
      answer: { text: expect.stringContaining('violations') },
    });
    expect(shown['headers']).toContainEqual(['content-type', 'application/json']);
    const { text } = await open(platform, `/requests/${String(shown['requestId'])}`);
    expect(text).toContain('more is not a known field');
    expect(text).toContain('curl -sS -X POST &#34;$MILLRACE_BASE_URL&#34;');
  });

  test('shows no token, no secret and no name in an e-mail address in any place', async () => {
    const seed = {
      credentials: [
        {
          name: 'boss',
          role: 'superAdmin' as const,
          clientId: 'boss',
          clientSecret: 'pa55-of-boss',
          token: 'tok-boss',
        },
      ],
    };
    await using platform = await talk({ seed });
    const secret = 'hunter2';
    const texts: string[] = [];
    const look = async () => {
      const shown = await newestRequest(platform);
      texts.push(
        JSON.stringify(shown),
        (await open(platform, `/requests/${String(shown['requestId'])}`)).text,
      );
    };
    await platform.post(
      '/v1/projects?owner=ann.smith@example.com',
      {
        password: secret,
        deep: [{ clientSecret: `x\\"${secret}` }],
        contact: 'ann.smith@example.com',
        note: 'tok-boss',
      },
      { headers: { 'git-provider-access-token': secret, cookie: `session=${secret}` } },
    );
    await look();
    await platform.post('/v1/projects', `{ "privateKey": "${secret}", "passphrase": "${secret}`, {
      headers: { 'content-type': 'application/json' },
    });
    await look();
    await platform.post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'boss',
        client_secret: 'pa55-of-boss',
      }),
      { token: '' },
    );
    await look();
    await platform.get('/v1/projects?access_token=hunter2&mail=ann.smith%40example.com');
    await look();
    texts.push((await open(platform, '/requests')).text, (await open(platform, '')).text);
    const all = texts.join('\n');
    for (const leak of [secret, 'ann.smith', 'tok-boss', 'pa55-of-boss']) expect(all).not.toContain(leak);
    expect(all).not.toMatch(/access_[0-9a-f]{40}/);
    expect(all).toContain('•••@example.com');
    expect(all).toContain('Bearer •••');
  });

  test('shows the reference of a secret, which is not secret (§2.5)', async () => {
    await using platform = await talk();
    const reference = { secretType: 'VAULT', secretLocation: 'main-vault', secretName: 'orders-password' };
    await platform.post('/v1/projects', { password: reference });
    expect(await newestRequest(platform)).toMatchObject({
      body: { text: JSON.stringify({ password: reference }) },
    });
  });

  test('keeps the beginning of a long body, and says how long it was', async () => {
    await using platform = await talk();
    await platform.post('/v1/projects', { name: 'x'.repeat(100_000) });
    const { body, curl } = await newestRequest(platform);
    expect(body).toMatchObject({ beginningOf: 100_011 });
    expect((body as { text: string }).text).toHaveLength(8192);
    expect(curl).toContain('--data-binary @body.json');
  });

  test('lists the files of an upload, and names them in its line', async () => {
    await using platform = await talk();
    await platform.publish('1', { 'daily/load.orch.yaml': orchestration, 'q.sql': 'select 1' });
    const shown = await newestRequest(platform);
    expect(shown['parts']).toMatchObject([
      {
        path: 'daily/load.orch.yaml',
        bytes: orchestration.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { path: 'q.sql', bytes: 8 },
    ]);
    expect(shown['curl']).toContain(`-F 'q.sql=@"q.sql";type=text/plain'`);
    await platform.post(`${platform.project}/artifacts`, form({ '../x.orch.yaml': orchestration }), {
      headers: { versionName: '2', environmentName: 'dev', commitHash: 'abc' },
    });
    expect(await newestRequest(platform)).toMatchObject({ reasons: [expect.stringContaining('".." in it')] });
  });

  test('says what a fault did to it', async () => {
    await using platform = await talk({ faults: [{ status: 503, body: { error: 'come again' } }] });
    await platform.get('/v1/projects');
    expect(await newestRequest(platform)).toMatchObject({
      status: 503,
      outcome: 'fault',
      reasons: ['come again'],
    });
  });

  test('that is not known, or no longer, is answered 404', async () => {
    await using platform = await talk();
    expect((await platform.get('/_platform/requests/none')).status).toBe(404);
    expect((await platform.get('/_platform/executions/none')).status).toBe(404);
  });

  test.each([
    ['GET', 'requests/none', 404, 'There is no request'],
    ['GET', 'nothing', 404, 'The route GET /_platform/nothing does not exist.'],
    ['POST', 'clock/advance', 400, 'the value must not be null'],
  ])('%s %s: a person gets a page with the reason, a program JSON', async (method, path, status, reason) => {
    await using talking = await talk();
    const ask = (accept: string) =>
      fetch(`${talking.platform.baseUrl}/_platform/${path}`, {
        method,
        headers: { accept, 'x-millrace-platform': '1' },
      });
    const page = await ask('text/html');
    expect(page.status).toBe(status);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const text = await page.text();
    expect(text).toMatch(/<h1>Not (found|done)<\/h1>/);
    expect(text).toContain(reason);
    expect(text).not.toContain('data-live');
    const json = await ask('application/json');
    expect(json.status).toBe(status);
    expect(JSON.stringify(await json.json())).toContain(reason);
  });
});

test('the command to repeat a request repeats it, with any content', async ({ skip }) => {
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
  if (curl === undefined) skip('this machine has no curl');
  await using platform = await talk();
  const value = `it's "$HOME" \`id\` \\ @file; \u001b[31m`;
  await platform.post(`${platform.project}/variables?x[]=1`, { name: 'a', value });
  await platform.post(`${platform.project}/variables`, {
    name: 'day',
    type: 'TEXT',
    behaviour: 'SHARED',
    value,
  });
  const line = String((await newestRequest(platform))['curl']);
  await platform.delete(`${platform.project}/variables/day`);
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: {
      ...process.env,
      MILLRACE_BASE_URL: platform.platform.baseUrl,
      MILLRACE_TOKEN: platform.platform.tokens.superAdmin,
    },
  });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'day', value });
});

test('foreign text is text: no name, path or message becomes markup', async () => {
  await using platform = await talk();
  const evil = `<img src=x onerror="alert(1)">'&`;
  await platform.publish(evil.replaceAll(' ', ''), {
    'a.orch.yaml': orchestration.replaceAll('Done', evil.replaceAll('"', '')),
  });
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'a',
    environmentName: 'dev',
    executionTag: evil,
  });
  expect(started.status).toBe(201);
  await platform.clock.advance(1000);
  await platform.post('/v1/projects', { [evil]: evil, name: evil });
  const texts = await Promise.all(
    [
      ...pages,
      `/executions/${field(started, 'pipelineExecutionId')}`,
      `/requests/${platform.platform.requests().requests.at(-1)?.requestId ?? ''}`,
    ].map(async (path) => (await open(platform, path)).text),
  );
  for (const text of texts) expect(text).not.toMatch(/<img/);
  expect(texts.join('')).toContain('&#60;img');
});

test('an execution is shown with its component steps', async () => {
  await using platform = await talk();
  await platform.publish('1');
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'daily/load',
    environmentName: 'dev',
    executionTag: 'nightly',
  });
  const id = field(started, 'pipelineExecutionId');
  await platform.platform.clock.advance('1m');
  expect((await platform.get('/_platform/executions')).body).toMatchObject({
    executions: [{ id, status: 'SUCCESS', tag: 'nightly', versionName: '1', projectName: 'warehouse' }],
  });
  expect((await platform.get(`/_platform/executions/${id}.json`)).body).toMatchObject({
    status: 'SUCCESS',
    steps: [{ component: 'Start', status: 'SUCCESS' }, { component: 'Done' }],
  });
  expect((await open(platform, `/executions/${id}`)).text).toContain('end-success');
});

test('steps of concurrent calls are listed below their callers', async () => {
  await using platform = await talk();
  const call = (name: string) => `    ${name}:
      type: "run-orchestration"
      parameters: { componentName: "${name}", orchestrationJob: "${name.toLowerCase()}" }
`;
  const called = (name: string) =>
    orchestration.replaceAll('Start', `Begin ${name}`).replaceAll('Done', `End ${name}`);
  await platform.publish('1', {
    'main.orch.yaml': `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions: { unconditional: ["Left", "Right"] }
${call('Left')}${call('Right')}`,
    'left.orch.yaml': called('left'),
    'right.orch.yaml': called('right'),
  });
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'main',
    environmentName: 'dev',
    executionTag: 'both',
  });
  await platform.platform.clock.advance('1m');
  const { text } = await open(platform, `/executions/${field(started, 'pipelineExecutionId')}`);
  const rows = [...text.matchAll(/<div class="depth-(\d)">\s*([^<]*?)\s*<small>/g)];
  expect(rows.map(([, depth, component]) => `${depth} ${component}`)).toEqual([
    '0 Start',
    '0 Left',
    '1 Begin left',
    '1 End left',
    '0 Right',
    '1 Begin right',
    '1 End right',
  ]);
});

test('versions are shown per environment, with the one that is live (§4.4 rule 1, §3.3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  await platform.publish('2');
  await platform.publish('3');
  await platform.patch(`${platform.project}/artifacts`, {
    environmentName: 'dev',
    versionName: '3',
    enabled: false,
  });
  const { body } = await platform.get('/_platform/versions');
  expect(body).toMatchObject({
    projects: [
      {
        environments: ['dev', 'test', 'prod'],
        versions: [
          { versionName: '3', environments: { dev: { enabled: false, live: false } } },
          { versionName: '2', environments: { dev: { enabled: true, live: true } } },
          { versionName: '1', environments: { dev: { enabled: true, live: false } } },
        ],
      },
    ],
    shared: [],
  });
});

test('no page and no JSON twin shows a token or the name in an e-mail address', async () => {
  await using platform = await talk();
  const address = 'ann.smith@example.com';
  await platform.publish('1', { 'daily/load.orch.yaml': orchestration });
  await platform.post(
    `${platform.project}/variables?by=${address}&token=${platform.platform.tokens.superAdmin}`,
    {
      name: address,
      type: 'TEXT',
      behaviour: 'SHARED',
      value: 'x',
    },
  );
  const made = await platform.post('/v1/projects', {
    name: address,
    warehouse: 'WAREHOUSE_ONE',
    agentDeploymentType: 'HYBRID',
  });
  expect(made.status).toBe(201);
  for (const path of ['', '/requests', '/audit', '/ledger'])
    for (const format of ['html', 'json']) {
      const { status, text } = await open(platform, `${path}?format=${format}`);
      expect(status).toBe(200);
      for (const leak of ['ann.smith', 'super-admin@', platform.platform.tokens.superAdmin])
        expect(text, `${path} as ${format}`).not.toContain(leak);
    }
  const { effects } = (await platform.get('/_platform/ledger')).body as { effects: unknown[] };
  expect(effects.at(-1)).toMatchObject({ actor: '•••@example.com', subject: { name: '•••@example.com' } });
});

test('the audit feed goes page by page, with masked addresses; a wrong page is refused', async () => {
  await using platform = await talk();
  for (let i = 0; i < 60; i += 1)
    await platform.post('/v1/projects', {
      name: `p${String(i)}`,
      warehouse: 'WAREHOUSE_ONE',
      agentDeploymentType: 'HYBRID',
    });
  const first = await open(platform, '/audit');
  expect(first.text).toContain('rel="next"');
  expect(first.text).not.toContain('super-admin@');
  const second = await open(platform, '/audit?page=1');
  expect(second.text).toContain('rel="prev"');
  expect(second.text).toContain('Project &#34;p0&#34; was created');
  expect((await open(platform, '/audit?page=x')).status).toBe(400);
  expect((await open(platform, '/requests?nonsense=1')).status).toBe(400);
});

describe('the tables of an environment', () => {
  const seed: Seed = {
    ...defaultSeed,
    settings: { execution: 'engine' },
    tables: [{ name: 'ORDERS', rows: [{ ID: 1 }] }],
  };

  test('a table or an environment that does not exist is 404, and the page leads back to Tables', async () => {
    await using platform = await talk({ seed });
    const { environments } = (await platform.get('/_platform/tables')).body as {
      environments: { id: number; environment: string }[];
    };
    const [{ id, environment } = { id: 0, environment: '' }] = environments;
    expect((await open(platform, `/tables/${String(id)}?table=DEV.PUBLIC.ORDERS`)).status).toBe(200);
    for (const [place, sentence] of [
      [`/tables/${String(id)}?table=NOPE`, `There is no table "NOPE" in ${environment}.`],
      ['/tables/999', 'There is no environment 999.'],
    ] as const) {
      expect(await platform.get(`/_platform${place}`)).toMatchObject({
        status: 404,
        body: { error: sentence },
      });
      const { status, text } = await open(platform, place);
      expect(status).toBe(404);
      expect(text).toContain(sentence.replaceAll('"', '&#34;'));
      expect(text).toContain('<p><a href="/_platform/tables">Tables</a></p>');
    }
    expect((await open(platform, `/tables/${String(id)}?tabel=NOPE`)).status).toBe(400);
  });

  test.each([
    ['/executions/nope', '/_platform/executions'],
    ['/requests/nope', '/_platform/requests'],
    ['/nope', '/_platform'],
  ])('the page "%s" does not exist and leads to %s', async (place, section) => {
    await using platform = await talk();
    const { status, text } = await open(platform, place);
    expect(status).toBe(404);
    expect(text).toMatch(new RegExp(`<p><a href="${section}">`));
  });
});
