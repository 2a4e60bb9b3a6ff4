import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { orchestration } from '../environment/orchestration.ts';
import { fieldOf, form, resultsOf } from './project.ts';
import { needsMember, openServer, send } from './server.ts';

const server = await openServer();
const artifacts = '/v1/shared-pipelines/artifacts';
const shares = (enabled: boolean) => `version: "1.0"
type: "shared-pipelines-config"
pipelines:
  - pipeline: "shared/convert.orch.yaml"
    displayName: "Convert"
    id: "convert"
    description: "Converts currencies"
    enabled: true
  - pipeline: "shared/round.orch.yaml"
    displayName: "Round"
    id: "round"
    description: "Rounds amounts"
    enabled: ${String(enabled)}
`;
const files = (enabled = true) => ({
  '.platform/shared-pipelines.yaml': shares(enabled),
  'shared/convert.orch.yaml': orchestration,
  'shared/round.orch.yaml': orchestration,
});

/** A group of shared pipelines of the test's own. */
function group() {
  const prefix = `conformance-${randomUUID()}`;
  return {
    prefix,
    publish: (versionName: string, content = files(), more: Readonly<Record<string, string>> = {}) =>
      send(server, 'POST', artifacts, {
        body: form(content),
        headers: { sharedPipelineIdPrefix: prefix, versionName, ...more },
      }),
    set: (versionName: string, enabled: boolean) =>
      send(server, 'PATCH', artifacts, { body: { sharedPipelineIdPrefix: prefix, versionName, enabled } }),
    details: (query = '') =>
      send(server, 'GET', `${artifacts}/details?sharedPipelineIdPrefix=${prefix}${query}`),
    async listed() {
      const mine: Record<string, unknown>[] = [];
      for (let page = 0; ; page += 1) {
        const answer = await send(server, 'GET', `/v1/shared-pipelines?page=${String(page)}&size=100`);
        expect(answer.status).toBe(200);
        const results = resultsOf(answer);
        mine.push(...results.filter(({ sharedPipelineIdPrefix }) => sharedPipelineIdPrefix === prefix));
        if (results.length < 100) return mine;
      }
    },
  };
}
const versionOf = (answer: { readonly body: unknown }) =>
  fieldOf(answer.body, 'artifactDetails', 'versionName');

conforms(
  [
    'POST /v1/shared-pipelines/artifacts',
    'GET /v1/shared-pipelines/artifacts/details',
    '§2.11 ignoredResources',
  ],
  'a version is published with commit and branch, says what it left out, and is described',
  async () => {
    const { publish, details, prefix } = group();
    const published = await publish('1.0', files(false), { commitHash: 'abc123', branch: 'main' });
    expect(published.status).toBeLessThan(300);
    expect(JSON.stringify(fieldOf(published.body, 'ignoredResources'))).toContain('round');
    const answer = await details();
    expect(answer.status).toBe(200);
    expect(fieldOf(answer.body, 'artifactDetails')).toMatchObject({
      sharedPipelineIdPrefix: prefix,
      versionName: '1.0',
      enabled: true,
      createdAt: expect.any(String),
      provider: expect.any(String),
      commitHash: 'abc123',
      branch: 'main',
    });
    expect(fieldOf(answer.body, 'sharedPipelines')).toEqual([
      expect.objectContaining({
        sharedPipelineId: 'convert',
        sourcePipeline: expect.stringContaining('shared/convert'),
        description: 'Converts currencies',
      }),
    ]);
  },
);

conforms(
  ['§7 409 shared version', '§8 limits', '§9 rule 2'],
  'a version name is immutable: a second publish is answered 409 and the first remains',
  async () => {
    const { publish, details } = group();
    await publish('1.0', files(), { commitHash: 'first' });
    expect((await publish('1.0', files(), { commitHash: 'second' })).status).toBe(409);
    expect(fieldOf((await details()).body, 'artifactDetails', 'commitHash')).toBe('first');
  },
);

conforms(
  ['GET /v1/shared-pipelines', '§2 envelope of a paged list'],
  'shared pipelines are listed with their latest version',
  async () => {
    const { publish, listed } = group();
    await publish('1.0');
    await publish('2.0');
    const found = await listed();
    expect(found).toHaveLength(2);
    expect(new Set(found.map(({ sharedPipelineId }) => sharedPipelineId))).toEqual(
      new Set(['convert', 'round']),
    );
    for (const item of found) expect(item['latestVersionName']).toBe('2.0');
  },
);

conforms(
  ['GET /v1/shared-pipelines/artifacts'],
  'versions are listed, and the filter leaves the versions of one group',
  async () => {
    const { publish, prefix } = group();
    const other = group();
    await publish('1.0');
    await publish('2.0');
    await other.publish('9.0');
    const answer = await send(server, 'GET', `${artifacts}?sharedPipelineIdPrefix=${prefix}`);
    expect(answer.status).toBe(200);
    const text = JSON.stringify(answer.body);
    expect(text).toContain('"1.0"');
    expect(text).toContain('"2.0"');
    expect(text).not.toContain(other.prefix);
  },
);

conforms(
  [
    'PATCH /v1/shared-pipelines/artifacts',
    '§3.3 disable a shared version',
    '§3.3 enable a shared version',
    '§2.11 [Latest] is the most recent enabled version',
    '§4.8 details without a version',
  ],
  'a disabled version is skipped, and the one enabled before it is the latest until it is enabled again',
  async () => {
    const { publish, set, details } = group();
    for (const version of ['1', '2', '3']) await publish(version);
    expect(versionOf(await details())).toBe('3');
    expect((await set('3', false)).status).toBeLessThan(300);
    expect(versionOf(await details())).toBe('2');
    expect(fieldOf((await details('&versionName=3')).body, 'artifactDetails', 'enabled')).toBe(false);
    await set('1', false);
    expect(versionOf(await details())).toBe('2');
    expect((await set('3', true)).status).toBeLessThan(300);
    expect(versionOf(await details())).toBe('3');
    expect((await set('4', false)).status).toBe(404);
  },
);

conforms(
  ['§4.8 rule 1', '§7 404 shared version'],
  'versionName=latest asks for a version of that name and is answered 404',
  async () => {
    const { publish, details } = group();
    await publish('1.0');
    expect((await details('&versionName=latest')).status).toBe(404);
    expect((await details('&versionName=unknown')).status).toBe(404);
    expect(versionOf(await details())).toBe('1.0');
  },
);

conforms(['§4.8 rule 2'], 'with every version disabled there is none to run', async () => {
  const { publish, set, details } = group();
  await publish('1');
  await set('1', false);
  expect((await details()).status).toBe(404);
});

conforms(
  ['§4.8 rule 3'],
  'a pipeline that is no longer shared stays in the versions published before',
  async () => {
    const { publish, details } = group();
    await publish('1', files(true));
    await publish('2', files(false));
    const ids = async (version: string) =>
      (fieldOf((await details(`&versionName=${version}`)).body, 'sharedPipelines') as unknown[]).map((item) =>
        fieldOf(item, 'sharedPipelineId'),
      );
    expect((await ids('1')).length).toBe(2);
    expect(await ids('2')).toEqual(['convert']);
  },
);

conforms(
  ['§5 rule 5', '§7 403 shared pipelines'],
  'a caller who is neither Admin nor Super Admin is refused, for each of the five operations',
  async () => {
    const token = server.member ?? '';
    const { prefix, publish } = group();
    await publish('1');
    const requests: readonly [string, string, unknown?][] = [
      ['GET', '/v1/shared-pipelines'],
      ['GET', artifacts],
      ['GET', `${artifacts}/details?sharedPipelineIdPrefix=${prefix}`],
      ['POST', artifacts, form(files())],
      ['PATCH', artifacts, { sharedPipelineIdPrefix: prefix, versionName: '1', enabled: false }],
    ];
    for (const [method, path, body] of requests) {
      const headers = method === 'POST' ? { sharedPipelineIdPrefix: prefix, versionName: '2' } : {};
      expect([method, path, (await send(server, method, path, { body, headers, token })).status]).toEqual([
        method,
        path,
        403,
      ]);
    }
  },
  needsMember(server),
);
