import { describe, expect, test } from 'vitest';
import { type Client, Conflict, OutcomeUnknown } from '../../../client/index.ts';
import { clientFor, errorOf } from '../client-for.ts';
import { type Received, reply, serve } from '../serve.ts';

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

/** A platform that resets the connection of every POST, and answers the nth GET with `platformAnswer(n)`. */
async function serveWithoutPostAnswers(platformAnswer: (nth: number, request: Received) => unknown) {
  let readBacks = 0;
  const server = await serve((response, request) => {
    if (request.method === 'POST') return void response.socket?.resetAndDestroy();
    readBacks += 1;
    const answer = platformAnswer(readBacks, request);
    return typeof answer === 'number' ? reply(response, answer) : reply(response, 200, answer);
  });
  const count = (method: string): number =>
    server.received.filter((request) => request.method === method).length;
  return { ...server, posts: () => count('POST'), readBacks: () => count('GET') };
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

describe('a call whose answer was lost succeeds where the platform shows the effect:', () => {
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
  ] as const)('%s', async (_, name, platformAnswer, answer, posts) => {
    await using server = await serveWithoutPostAnswers(() => platformAnswer);
    const { client } = clientFor(server.baseUrl);
    expect(await call[name](client)).toMatchObject(answer);
    expect({ posts: server.posts(), readBacks: server.readBacks() }).toEqual({ posts, readBacks: 1 });
  });
});

describe('a call whose answer was lost fails where the platform shows its version disabled:', () => {
  test.each([
    ['a create', 'create', pageOf(artifact({ enabled: false }))],
    ['a promotion', 'promote', pageOf(artifact({ environmentName: 'test', enabled: false }))],
    ['a shared publish', 'publish', details({ commitHash: 'abc', enabled: false })],
  ] as const)('%s', async (_, name, platformAnswer) => {
    await using server = await serveWithoutPostAnswers(() => platformAnswer);
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(call[name](client))).toMatchObject({
      code: 'version-disabled',
      isUnknown: false,
      message: expect.stringContaining('version “1.4.0” now exists, but is disabled.'),
      details: { versionName: '1.4.0' },
    });
    expect(server.readBacks()).toBe(3);
  });

  test('a version that is disabled at first and enabled at the next read-back counts as published', async () => {
    await using server = await serveWithoutPostAnswers((nth) => pageOf(artifact({ enabled: nth > 1 })));
    const { client } = clientFor(server.baseUrl);
    expect(await call.create(client)).toMatchObject({ versionName: '1.4.0' });
  });
});

describe('where the list has two records of the version, the newer one counts, in either order:', () => {
  const older = { createdAt: '2031-01-01T11:00:00Z' };
  test.each([
    ['disabled newer', { ...older, enabled: true }, { enabled: false }, 'version-disabled'],
    ['enabled newer', { ...older, enabled: false }, { enabled: true }, 'done'],
    ['of the same time, one disabled', { enabled: true }, { enabled: false }, 'version-disabled'],
  ] as const)('%s', async (_, first, second, outcome) => {
    for (const [name, environmentName] of [
      ['create', 'dev'],
      ['promote', 'test'],
    ] as const) {
      const records = [first, second].map((over) => artifact({ environmentName, ...over }));
      for (const results of [records, records.toReversed()]) {
        await using server = await serveWithoutPostAnswers(() => pageOf(...results));
        const { client } = clientFor(server.baseUrl);
        const ended = call[name](client).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
        expect(await ended).toBe(outcome);
      }
    }
  });

  test('later from another commit', async () => {
    const records = [artifact(older), artifact({ commitHash: 'def' })];
    for (const results of [records, records.toReversed()]) {
      await using server = await serveWithoutPostAnswers(() => pageOf(...results));
      const { client } = clientFor(server.baseUrl);
      expect(await errorOf(call.create(client))).toBeInstanceOf(Conflict);
    }
  });

  test('the newer record on a later page', async () => {
    await using server = await serveWithoutPostAnswers((nth) => ({
      page: (nth - 1) % 2,
      results: [nth % 2 === 1 ? artifact(older) : artifact({ enabled: false })],
      size: 1,
      total: 2,
    }));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(call.create(client))).toMatchObject({ code: 'version-disabled' });
  });
});

test('the read-back requests one environment with disabled versions, and reads every page', async () => {
  await using server = await serveWithoutPostAnswers((nth) =>
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

test('an effect that becomes visible late is found: read-backs after 0, 500 and 2,000 ms', async () => {
  await using server = await serveWithoutPostAnswers((nth) => (nth < 3 ? pageOf() : pageOf(artifact())));
  const { client, clock } = clientFor(server.baseUrl);
  expect(await client.withResponse.artifacts.create(createInput)).toMatchObject({ status: 0, headers: {} });
  expect(clock.waits).toEqual([500, 2000]);
  expect({ posts: server.posts(), readBacks: server.readBacks() }).toEqual({ posts: 1, readBacks: 3 });
});

describe('where the effect is not visible, the outcome is unknown and the error names the read-back:', () => {
  test.each([
    ['a create', 'create', pageOf(artifact({ environmentName: 'prod' })), /artifacts\.list \(3 times\)/],
    ['a promotion', 'promote', pageOf(artifact()), /artifacts\.list \(3 times\): no effect is visible/],
    ['a shared publish', 'publish', 404, /sharedArtifacts\.details \(3 times\): no effect is visible/],
    [
      'a shared publish whose commit is not shown',
      'publish',
      details({}),
      /details \(1 time\): .* does not show from which commit/,
    ],
    ['some of the overrides', 'override', overrides(both[0] ?? {}), /overrides\.list \(3 times\)/],
    ['a list that is forbidden', 'create', 403, /failed: .*403/],
  ] as const)('%s', async (_, name, platformAnswer, readBack) => {
    await using server = await serveWithoutPostAnswers(() => platformAnswer);
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(call[name](client));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      isUnknown: true,
      isRetryable: name === 'override',
      attempts: name === 'create' || name === 'promote' ? 1 : 4,
      readBack: expect.stringMatching(readBack),
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...(name === 'override' ? {} : { versionName: '1.4.0' }),
    });
    expect(error.message).toMatch(readBack);
  });
});

test.each([
  ['a create', 'create', pageOf(artifact({ commitHash: 'def' }))],
  ['a shared publish', 'publish', details({ commitHash: 'def' })],
] as const)(
  '%s that finds its version from another commit is a conflict',
  async (_, name, platformAnswer) => {
    await using server = await serveWithoutPostAnswers(() => platformAnswer);
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(call[name](client));
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ details: { publishedCommit: 'def', versionName: '1.4.0' } });
  },
);

test('a 5xx proves nothing and is read back too', async () => {
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

test('a refusal is final: nothing is read back', async () => {
  await using server = await serve((response) => reply(response, 409, { error: 'there', status: 409 }));
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(call.create(client))).toMatchObject({ code: 'conflict' });
  expect(await errorOf(call.override(client))).toMatchObject({ code: 'conflict' });
  expect(server.received.length).toBe(2);
});

test('read-backs end at the deadline of the call', async () => {
  await using server = await serveWithoutPostAnswers(() => pageOf());
  const { client, clock } = clientFor(server.baseUrl, { deadlineMs: 2000 });
  await errorOf(call.create(client));
  expect(clock.waits).toEqual([500]);
});

test('the caller’s signal ends the read-backs, and the outcome stays unknown', async () => {
  const controller = new AbortController();
  await using server = await serveWithoutPostAnswers(() => {
    controller.abort(new Error('enough'));
    return pageOf();
  });
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
  expect(error).toMatchObject({ code: 'cancelled', isUnknown: true, operation: 'artifacts.create' });
});

test('a failed read-back is followed by the next one', async () => {
  // All four attempts of the first read-back fail.
  await using server = await serveWithoutPostAnswers((nth) => (nth <= 4 ? 503 : pageOf(artifact())));
  const { client } = clientFor(server.baseUrl);
  expect(await call.create(client)).toMatchObject({ versionName: '1.4.0' });
  expect({ posts: server.posts(), readBacks: server.readBacks() }).toEqual({ posts: 1, readBacks: 5 });
});

test('read-backs that all fail leave the outcome unknown, and the error has their number', async () => {
  await using server = await serveWithoutPostAnswers(() => 503);
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(call.promote(client))).toMatchObject({
    code: 'outcome-unknown',
    readBack: expect.stringMatching(/^artifacts\.list \(3 times\): failed: .*503/),
  });
});

describe('a cancellation with an unknown outcome names the version:', () => {
  test('after the request was sent', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(new Error('enough')));
    const { client } = clientFor(server.baseUrl);
    const { message } = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
    expect(message).toMatch(
      /^artifacts\.create was cancelled after it was sent; whether it took effect is unknown \(version “1\.4\.0”, request [0-9a-f]{32}\)\.$/,
    );
  });

  test('during a read-back', async () => {
    const controller = new AbortController();
    await using server = await serveWithoutPostAnswers(() => {
      controller.abort(new Error('enough'));
      return pageOf();
    });
    const { client } = clientFor(server.baseUrl);
    const { message } = await errorOf(client.artifacts.create(createInput, { signal: controller.signal }));
    expect(message).toContain('whether it took effect is unknown (version “1.4.0”, ');
  });
});
