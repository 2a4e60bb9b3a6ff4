import { describe, expect, test } from 'vitest';
import { Conflict, OutcomeUnknown } from '../../client/index.ts';
import { clientFor, errorOf } from './client-for.ts';
import { type Answer, reply, serve } from './serve.ts';

const input = {
  sharedPipelineIdPrefix: 'finance',
  versionName: '2026.3',
  files: [{ path: 'a.orch.yaml', bytes: 1, open: () => Buffer.from('a') }],
};

/** The first publish is processed, then its connection is reset; from then on the version is there. */
function lossy(publishedCommit: string | undefined): Answer {
  let published = false;
  return (response, { method }) => {
    if (method === 'GET') {
      if (publishedCommit === undefined) return reply(response, 500);
      const artifactDetails = {
        sharedPipelineIdPrefix: 'finance',
        versionName: '2026.3',
        enabled: true,
        createdAt: '2026-03-02T09:31:07.000Z',
        commitHash: publishedCommit,
      };
      return reply(response, 200, { artifactDetails, sharedPipelines: [] });
    }
    if (published) return reply(response, 409, { error: 'exists', status: 409 });
    published = true;
    return void response.socket?.resetAndDestroy();
  };
}

describe('a shared publish whose answer was lost', () => {
  test('is sent again, and the 409 of the same commit means that it is done', async () => {
    await using server = await serve(lossy('abc'));
    const { client } = clientFor(server.baseUrl);
    const answer = await client.sharedArtifacts.publish({ ...input, commitHash: 'abc' });
    expect(answer).toEqual({ sharedPipelineIdPrefix: 'finance', versionName: '2026.3' });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    expect(server.received[2]?.target).toBe(
      '/v1/shared-pipelines/artifacts/details?sharedPipelineIdPrefix=finance&versionName=2026.3',
    );
  });

  test('and that meets another commit’s version is a conflict that names the commit', async () => {
    await using server = await serve(lossy('def'));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ details: { publishedCommit: 'def' }, attempts: 2 });
  });

  test.each([
    ['was sent without a commit', {}, 'abc'],
    ['was sent without a commit and cannot be looked up', {}, undefined],
    ['cannot be looked up', { commitHash: 'abc' }, undefined],
  ])('and that %s is unknown', async (_, commit, published) => {
    await using server = await serve(lossy(published));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, ...commit }));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({ versionName: '2026.3' });
  });

  test('is unknown when no token can be had for another attempt', async () => {
    let tokens = 0;
    await using server = await serve((response, { target }) => {
      if (target !== '/token') return void response.socket?.destroy();
      tokens += 1;
      if (tokens > 1) return reply(response, 400, { error: 'invalid_client' });
      return reply(response, 200, { access_token: 'short-lived', expires_in: 0.05 });
    });
    const auth = { clientId: 'c', clientSecret: 'hidden', tokenUrl: `${server.baseUrl}/token` };
    const { client } = clientFor(server.baseUrl, { auth });
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
    expect(error).toMatchObject({
      code: 'outcome-unknown',
      operation: 'sharedArtifacts.publish',
      attempts: 1,
    });
  });

  test('to the end is unknown', async () => {
    await using server = await serve((response) => void response.socket?.destroy());
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
    expect(error).toMatchObject({ code: 'outcome-unknown', attempts: 4, versionName: '2026.3' });
  });
});

test('a shared publish that meets 409 at first is a plain conflict, and nothing is looked up', async () => {
  await using server = await serve((response) => reply(response, 409, { error: 'exists', status: 409 }));
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
  expect(error).toMatchObject({ code: 'conflict', attempts: 1, body: { error: 'exists' } });
  expect(server.received.length).toBe(1);
});
