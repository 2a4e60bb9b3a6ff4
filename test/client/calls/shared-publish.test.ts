import { describe, expect, test } from 'vitest';
import { Conflict, OutcomeUnknown } from '../../../client/index.ts';
import { clientFor, errorOf } from '../client-for.ts';
import { type Answer, reply, serve } from '../serve.ts';

const input = {
  sharedPipelineIdPrefix: 'finance',
  versionName: '2026.3',
  files: [{ path: 'a.orch.yaml', bytes: 1, open: () => Buffer.from('a') }],
};

/** A platform that processes the first publish and then resets its connection; from then on the version exists. */
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
  test('is repeated and succeeds where the 409 is about the same commit', async () => {
    await using server = await serve(lossy('abc'));
    const { client } = clientFor(server.baseUrl);
    const answer = await client.sharedArtifacts.publish({ ...input, commitHash: 'abc' });
    expect(answer).toEqual({ sharedPipelineIdPrefix: 'finance', versionName: '2026.3' });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    expect(server.received[2]?.target).toBe(
      '/v1/shared-pipelines/artifacts/details?sharedPipelineIdPrefix=finance&versionName=2026.3',
    );
  });

  test('and whose version exists from another commit is a conflict that names the commit', async () => {
    await using server = await serve(lossy('def'));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ details: { publishedCommit: 'def' }, attempts: 2 });
  });

  test.each([
    ['was sent without a commit', {}, 'abc'],
    ['was sent without a commit and cannot be read back', {}, undefined],
    ['cannot be read back', { commitHash: 'abc' }, undefined],
  ])('and that %s has an unknown outcome', async (_, commit, published) => {
    await using server = await serve(lossy(published));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, ...commit }));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({ versionName: '2026.3' });
  });

  test('has an unknown outcome when no token is available for another attempt', async () => {
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

  test('in every attempt has an unknown outcome', async () => {
    await using server = await serve((response) => void response.socket?.destroy());
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
    expect(error).toMatchObject({ code: 'outcome-unknown', attempts: 4, versionName: '2026.3' });
  });
});

test('a shared publish whose first answer is 409 is a conflict, and nothing is read back', async () => {
  await using server = await serve((response) => reply(response, 409, { error: 'exists', status: 409 }));
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(client.sharedArtifacts.publish({ ...input, commitHash: 'abc' }));
  expect(error).toMatchObject({ code: 'conflict', attempts: 1, body: { error: 'exists' } });
  expect(server.received.length).toBe(1);
});
