import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { followDirectory } from '../../../worker/operators/directory.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createGitHubSessions } from '../../../worker/web/sign-in/github-sessions.ts';
import { createGitHubSignIn, type SignInResult } from '../../../worker/web/sign-in/github-sign-in.ts';
import { createSessions } from '../../../worker/web/sign-in/sessions.ts';
import { testRedis } from '../../environment/redis.ts';
import { clientSecret } from '../../environment/worker/sign-in-environment.ts';
import { workerFile } from '../../environment/worker/worker-environment.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();

/** A GitHub that answers the exchange of a code only when the test wants it. */
async function slowGitHub() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    /** Answers that the code is invalid. */
    answerAll() {
      for (const response of waiting.splice(0)) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ error: 'bad_verification_code' }));
      }
    },
  };
}

function signInAt(url: string): () => Promise<SignInResult> {
  const config = readWorkerConfig(workerFile(), 'worker.yaml');
  const [connection, keys] = [redis.connect(), keysUnder(`{sign-in-${crypto.randomUUID()}}`)];
  const base = { redis: connection, keys, clock: systemClock, logger: silentLogger };
  const github = createGitHubSessions({
    ...base,
    config: () => config,
    github: { repository: () => expect.unreachable(), people: { isInTeam: () => expect.unreachable() } },
    clientSecret: () => clientSecret,
    teamMs: 300_000,
    githubWithinMs: 60_000,
  });
  const sessions = createSessions(
    connection,
    keys,
    followDirectory(() => config.operators, undefined),
    github,
  );
  const signIn = createGitHubSignIn({ ...base, sessions, github, timeoutMs: 60_000 })({
    clientId: 'client-1',
    clientSecret,
    webUrl: url,
    apiUrl: url,
    redirectUri: 'https://worker.example.com/session/github/callback',
  });
  return async () => {
    const { cookie, address } = signIn.begin('/');
    const state = new URL(address).searchParams.get('state') ?? '';
    return signIn.end(cookie, { state, code: 'code', error: undefined });
  };
}

test('while GitHub has not answered twenty sign-ins, another is refused; later ones are not', async () => {
  const github = await slowGitHub();
  const signIn = signInAt(github.url);
  const running = Array.from({ length: 20 }, signIn);
  await eventually(() => github.waiting.length).toBe(20);
  const refused = { status: 'refused', httpStatus: 503, message: expect.stringContaining('Too many people') };
  expect(await signIn()).toMatchObject(refused);
  expect(github.waiting).toHaveLength(20);
  github.answerAll();
  expect((await Promise.all(running)).map((end) => end.status === 'refused' && end.httpStatus)).toEqual(
    Array.from({ length: 20 }, () => 400),
  );
  const later = signIn();
  await eventually(() => github.waiting.length).toBe(1);
  github.answerAll();
  expect(await later).toMatchObject({ status: 'refused', httpStatus: 400 });
});
