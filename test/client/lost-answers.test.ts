import { describe, expect, test } from 'vitest';
import { type Client, Conflict, OutcomeUnknown } from '../../client/index.ts';
import { clientFor, errorOf } from './client-for.ts';
import { type Received, reply, serve } from './serve.ts';

const files = [{ path: 'a.orch.yaml', bytes: 1, open: () => Buffer.from('a') }];
const call = {
  create: (client: Client) =>
    client.artifacts.create({
      projectId: 'p',
      versionName: '1.4.0',
      environmentName: 'dev',
      commitHash: 'abc',
      files,
    }),
  promote: (client: Client) =>
    client.artifacts.promote({
      projectId: 'p',
      versionName: '1.4.0',
      sourceEnvironmentName: 'dev',
      targetEnvironmentName: 'test',
    }),
  publish: (client: Client) =>
    client.sharedArtifacts.publish({
      sharedPipelineIdPrefix: 'finance',
      versionName: '1.4.0',
      commitHash: 'abc',
      files,
    }),
  override: (client: Client) =>
    client.overrides.set({
      projectId: 'p',
      variableName: 'limit',
      overrides: [
        { environmentName: 'dev', value: 1 },
        { environmentName: 'test', value: 'two' },
      ],
    }),
} as const;

/** A platform that loses the answer to every POST, and shows what `shown` gives for the nth look. */
async function losing(shown: (nth: number, request: Received) => unknown) {
  let looks = 0;
  const server = await serve((response, request) => {
    if (request.method === 'POST') return void response.socket?.resetAndDestroy();
    looks += 1;
    const answer = shown(looks, request);
    return typeof answer === 'number' ? reply(response, answer) : reply(response, 200, answer);
  });
  const count = (method: string): number =>
    server.received.filter((request) => request.method === method).length;
  return { ...server, posts: () => count('POST'), looks: () => count('GET') };
}

const artifact = (over: object = {}) => ({
  versionName: '1.4.0',
  environmentName: 'dev',
  commitHash: 'abc',
  enabled: true,
  createdAt: '2031-01-01T12:00:00Z',
  ...over,
});
const pageOf = (...results: object[]) => ({ page: 0, results, size: 100, total: results.length });
const details = (over: object) => ({
  artifactDetails: {
    sharedPipelineIdPrefix: 'finance',
    versionName: '1.4.0',
    enabled: true,
    createdAt: '2031-01-01T12:00:00Z',
    ...over,
  },
  sharedPipelines: [],
});
const overrides = (...there: object[]) => ({
  variable: { id: 'v', name: 'limit', type: 'TEXT' },
  overrides: there,
});
const both = [
  { environmentName: 'dev', value: 1 },
  { environmentName: 'test', value: 'two' },
];

describe('where the platform shows the effect, a call whose answer was lost is done:', () => {
  test.each([
    ['a create', 'create', pageOf(artifact()), { versionName: '1.4.0' }, 1],
    ['a promotion', 'promote', pageOf(artifact({ environmentName: 'test' })), { environmentName: 'test' }, 1],
    [
      'a shared publish',
      'publish',
      details({ commitHash: 'abc' }),
      { sharedPipelineIdPrefix: 'finance', versionName: '1.4.0' },
      4,
    ],
    [
      'overrides',
      'override',
      overrides(...both),
      { variableName: 'limit', type: 'TEXT', successfulOverrides: both, failedOverrides: [] },
      4,
    ],
  ] as const)('%s', async (_, name, shown, answer, posts) => {
    await using server = await losing(() => shown);
    const { client } = clientFor(server.baseUrl);
    expect(await call[name](client)).toMatchObject(answer);
    expect({ posts: server.posts(), looks: server.looks() }).toEqual({ posts, looks: 1 });
  });
});

describe('a call whose answer was lost fails where the platform shows its version disabled:', () => {
  test.each([
    ['a create', 'create', pageOf(artifact({ enabled: false }))],
    ['a promotion', 'promote', pageOf(artifact({ environmentName: 'test', enabled: false }))],
    ['a shared publish', 'publish', details({ commitHash: 'abc', enabled: false })],
  ] as const)('%s', async (_, name, shown) => {
    await using server = await losing(() => shown);
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(call[name](client))).toMatchObject({
      code: 'version-disabled',
      isUnknown: false,
      message: expect.stringContaining('version “1.4.0” is there now, but disabled.'),
      details: { versionName: '1.4.0' },
    });
    expect(server.looks()).toBe(3);
  });

  test('a version that is disabled at first and enabled a moment later is done', async () => {
    await using server = await losing((nth) => pageOf(artifact({ enabled: nth > 1 })));
    const { client } = clientFor(server.baseUrl);
    expect(await call.create(client)).toMatchObject({ versionName: '1.4.0' });
  });
});

describe('where the list shows the version twice, the look goes by the newer record, in either order:', () => {
  const older = { createdAt: '2031-01-01T11:00:00Z' };
  test.each([
    ['disabled newer', { ...older, enabled: true }, { enabled: false }, 'version-disabled'],
    ['enabled newer', { ...older, enabled: false }, { enabled: true }, 'done'],
    ['of one time, one disabled', { enabled: true }, { enabled: false }, 'version-disabled'],
  ] as const)('%s', async (_, first, second, outcome) => {
    for (const [name, environmentName] of [
      ['create', 'dev'],
      ['promote', 'test'],
    ] as const) {
      const records = [first, second].map((over) => artifact({ environmentName, ...over }));
      for (const results of [records, records.toReversed()]) {
        await using server = await losing(() => pageOf(...results));
        const { client } = clientFor(server.baseUrl);
        const ended = call[name](client).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
        expect(await ended).toBe(outcome);
      }
    }
  });

  test('made from another commit later', async () => {
    const records = [artifact(older), artifact({ commitHash: 'def' })];
    for (const results of [records, records.toReversed()]) {
      await using server = await losing(() => pageOf(...results));
      const { client } = clientFor(server.baseUrl);
      expect(await errorOf(call.create(client))).toBeInstanceOf(Conflict);
    }
  });

  test('the newer record on a later page', async () => {
    await using server = await losing((nth) => ({
      page: (nth - 1) % 2,
      results: [nth % 2 === 1 ? artifact(older) : artifact({ enabled: false })],
      size: 1,
      total: 2,
    }));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(call.create(client))).toMatchObject({ code: 'version-disabled' });
  });
});

test('the look asks for the one environment, disabled versions too, and reads every page', async () => {
  await using server = await losing((nth) =>
    nth === 1
      ? { page: 0, results: [artifact({ versionName: '1.3.0' })], size: 1, total: 2 }
      : { page: 1, results: [artifact()], size: 1, total: 2 },
  );
  const { client } = clientFor(server.baseUrl);
  await call.create(client);
  expect(server.received.slice(1).map(({ target }) => target)).toEqual([
    '/v1/projects/p/artifacts/?size=100&environmentName=dev&includeDisabled=true',
    '/v1/projects/p/artifacts/?page=1&size=100&environmentName=dev&includeDisabled=true',
  ]);
});

test('an effect that shows up late is waited for: looks after 0, 500 and 2,000 ms', async () => {
  await using server = await losing((nth) => (nth < 3 ? pageOf() : pageOf(artifact())));
  const { client, clock } = clientFor(server.baseUrl);
  await call.create(client);
  expect(clock.waits).toEqual([500, 2000]);
  expect({ posts: server.posts(), looks: server.looks() }).toEqual({ posts: 1, looks: 3 });
});

describe('where nothing can be seen of it, the outcome is unknown, and what was looked at is said:', () => {
  test.each([
    ['a create', 'create', pageOf(artifact({ environmentName: 'prod' })), /artifacts\.list \(3 times\)/],
    ['a promotion', 'promote', pageOf(artifact()), /artifacts\.list \(3 times\): nothing of it is there/],
    ['a shared publish', 'publish', 404, /sharedArtifacts\.details \(3 times\): nothing of it is there/],
    ['a shared publish of no known commit', 'publish', details({}), /details \(1 times\): .* cannot be told/],
    ['some of the overrides', 'override', overrides(both[0] ?? {}), /overrides\.list \(3 times\)/],
    ['a list that is forbidden', 'create', 403, /could not be looked at: .*403/],
  ] as const)('%s', async (_, name, shown, looked) => {
    await using server = await losing(() => shown);
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(call[name](client));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      isUnknown: true,
      isRetryable: name === 'override',
      attempts: name === 'create' || name === 'promote' ? 1 : 4,
      looked: expect.stringMatching(looked),
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...(name === 'override' ? {} : { versionName: '1.4.0' }),
    });
    expect(error.message).toMatch(looked);
  });
});

test.each([
  ['a create', 'create', pageOf(artifact({ commitHash: 'def' }))],
  ['a shared publish', 'publish', details({ commitHash: 'def' })],
] as const)('%s that finds its version made from another commit is a conflict', async (_, name, shown) => {
  await using server = await losing(() => shown);
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(call[name](client));
  expect(error).toBeInstanceOf(Conflict);
  expect(error).toMatchObject({ details: { publishedCommit: 'def', versionName: '1.4.0' } });
});

test('a 5xx proves nothing and is looked after too', async () => {
  await using server = await serve((response, { method }) =>
    method === 'POST' ? reply(response, 500) : reply(response, 200, pageOf(artifact())),
  );
  const { client } = clientFor(server.baseUrl);
  expect(await client.withResponse.artifacts.create(createInput)).toMatchObject({
    answer: { versionName: '1.4.0' },
    status: 500,
    attempts: 1,
  });
});
const createInput = {
  projectId: 'p',
  versionName: '1.4.0',
  environmentName: 'dev',
  commitHash: 'abc',
  files,
};

test('a refusal is an answer: nothing is looked up', async () => {
  await using server = await serve((response) => reply(response, 409, { error: 'there', status: 409 }));
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(call.create(client))).toMatchObject({ code: 'conflict' });
  expect(await errorOf(call.override(client))).toMatchObject({ code: 'conflict' });
  expect(server.received.length).toBe(2);
});

test('looking keeps to the deadline of the call', async () => {
  await using server = await losing(() => pageOf());
  const { client, clock } = clientFor(server.baseUrl, { deadlineMs: 2000 });
  await errorOf(call.create(client));
  expect(clock.waits).toEqual([500]);
});

test('the caller’s signal ends the looking, and the outcome stays unknown', async () => {
  const controller = new AbortController();
  await using server = await losing(() => {
    controller.abort(new Error('enough'));
    return pageOf();
  });
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
  expect(error).toMatchObject({ code: 'cancelled', isUnknown: true, operation: 'artifacts.create' });
});

test('a look that itself gets no good answer is followed by the next one', async () => {
  // Four attempts at the first look fail.
  await using server = await losing((nth) => (nth <= 4 ? 503 : pageOf(artifact())));
  const { client } = clientFor(server.baseUrl);
  expect(await call.create(client)).toMatchObject({ versionName: '1.4.0' });
  expect({ posts: server.posts(), looks: server.looks() }).toEqual({ posts: 1, looks: 5 });
});

test('looks that all fail leave the outcome unknown, and say how often they were tried', async () => {
  await using server = await losing(() => 503);
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(call.promote(client))).toMatchObject({
    code: 'outcome-unknown',
    looked: expect.stringMatching(/^artifacts\.list \(3 times\): could not be looked at: .*503/),
  });
});

describe('a cancel that leaves the outcome open names the version:', () => {
  test('while the request is on its way', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(new Error('enough')));
    const { client } = clientFor(server.baseUrl);
    const { message } = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
    expect(message).toMatch(
      /^artifacts\.create was cancelled on its way; whether it took place is unknown \(version “1\.4\.0”, request [0-9a-f]{32}\)\.$/,
    );
  });

  test('while it is looked for', async () => {
    const controller = new AbortController();
    await using server = await losing(() => {
      controller.abort(new Error('enough'));
      return pageOf();
    });
    const { client } = clientFor(server.baseUrl);
    const { message } = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
    expect(message).toContain('whether it took place is unknown (version “1.4.0”, ');
  });
});
