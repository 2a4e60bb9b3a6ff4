import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { secretForms } from '../../../lib/core/text/redactor.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../lib/github/access/app-access.ts';
import { connectGitHub } from '../../../lib/github/workflow-run/connect-github.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import { identifyUser } from '../../../lib/github/access/user-authorization.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();
const token = 'ghs_pl4nted/token+with"signs&<more>';
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const forms: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify({ secret }),
  encodeURIComponent,
  html,
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(`x-access-token:${secret}`).toString('base64url'),
];

/** What an answer repeats: a secret in all its forms, and one at the place where a message is cut. */
const echoesOf = (secret: string): readonly string[] => [
  forms.map((form) => form(secret)).join(' '),
  `${'x'.repeat(280)}${secret}`,
];

type Echo = (text: string) => { status: number; headers?: Record<string, string>; body: unknown };

const answers: Readonly<Record<string, Echo>> = {
  'the message of a 401': (text) => ({ status: 401, body: { message: text } }),
  'the details of a 422': (text) => ({
    status: 422,
    body: {
      message: 'Validation Failed',
      errors: [{ code: 'custom', message: text }],
      documentation_url: text,
    },
  }),
  'the headers of a 403': (text) => ({
    status: 403,
    headers: { 'x-echo': encodeURIComponent(text), 'retry-after': '1' },
    body: { message: `You have exceeded a secondary rate limit: ${text}` },
  }),
  'the page of a 502': (text) => ({
    status: 502,
    body: `<html><title>Bad gateway</title>${text}</html>`,
  }),
  'the address of a redirect': (text) => ({
    status: 302,
    headers: { location: `${here.github.apiUrl}/elsewhere?token=${encodeURIComponent(text)}` },
    body: {},
  }),
};

const cases = Object.entries(answers);

/** Everything that an error says, also in its causes, its stack and its fields. */
const textOf = (error: unknown): string =>
  inspect(error, { depth: Infinity, maxStringLength: Infinity, showHidden: true });

async function failureOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

function expectNoSecret(error: unknown, secrets: readonly string[]): void {
  expect(error).toMatchObject({ code: 'github-failed' });
  const shown = textOf(error);
  // A part of 12 characters, for what was cut.
  for (const form of secrets.flatMap((secret) => [...secretForms(secret), secret.slice(0, 12)]))
    expect(shown).not.toContain(form);
}

const port = () =>
  createGitHubPort({ apiUrl: here.github.apiUrl, access: tokenAccess(() => token), clock: systemClock });

const clock = { now: () => 0, sleep: async () => {} };
const write = {
  repository: 1,
  kind: 'deployment-status',
  node: 'DE_1',
  status: { state: 'success', description: '' },
} as const;

describe('an error about an answer of GitHub has no token', () => {
  test.each(cases)('if the answer repeats it in %s', async (_, answer) => {
    const connection = connectGitHub({ apiUrl: here.github.apiUrl, token, repository, clock });
    const status = { sha: here.head, state: 'success', context: 'c', description: 'd' } as const;
    for (const text of echoesOf(token)) {
      here.github.interfere(() => answer(text));
      for (const act of [
        () => connection.refs.head(repository, 'refs/heads/main'),
        () => connection.comments.create(repository, 1, 'hello'),
        () => port().head(repository, 'refs/heads/main'),
        () => port().setStatus(repository, status),
        () => port().readRepositories([{ id: 1, name: repository }]),
      ])
        expectNoSecret(await failureOf(act), [token]);
    }
  });

  test('if the answer repeats it about a single write of a batch', async () => {
    for (const text of echoesOf(token)) {
      const errors = [
        { type: 'FORBIDDEN', message: text, path: ['w0'] },
        { message: text, path: ['w1'] },
      ];
      here.github.interfere(() => ({ status: 200, body: { data: { w0: null, w1: null }, errors } }));
      const written = await port().writeTogether([write, write]);
      expect(written.map(({ status }) => status)).toEqual(['refused', 'unknown']);
      for (const one of written) expectNoSecret('failure' in one ? one.failure : undefined, [token]);
    }
  });

  test('if the answer repeats it about a batch as a whole', async () => {
    for (const text of echoesOf(token)) {
      here.github.interfere(() => ({ status: 200, body: { data: null, errors: [{ message: text }] } }));
      expectNoSecret(await failureOf(() => port().writeTogether([write])), [token]);
    }
  });
});

describe('an error about an answer to the App has no JSON Web Token', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

  test.each(cases)('if the answer repeats it in %s', async (_, answer) => {
    for (const echo of [0, 1]) {
      let sent = '';
      here.github.interfere(({ headers }) => {
        sent = String(headers['authorization']).replace(/^bearer /iu, '');
        return answer(echoesOf(sent)[echo] ?? '');
      });
      const access = appAccess({ apiUrl: here.github.apiUrl, appId: 7, privateKey });
      for (const act of [() => access.app(), () => access.tokenFor(repository)]) {
        const error = await failureOf(act);
        expect(sent).toMatch(/^ey/u);
        expectNoSecret(error, [sent]);
      }
    }
  });
});

test.each(cases)('an error of a sign-in has no secret, if GitHub repeats it in %s', async (_, answer) => {
  const authorization = { code: 'planted-code-4711', verifier: 'planted-verifier-0815' };
  const app = {
    clientId: 'id',
    clientSecret: 'planted-client-secret',
    webUrl: here.github.url,
    apiUrl: here.github.apiUrl,
    redirectUri: 'http://127.0.0.1/callback',
  };
  for (const secret of [app.clientSecret, authorization.code, authorization.verifier]) {
    for (const text of echoesOf(secret)) {
      here.github.interfere(() => answer(text));
      const act = () => identifyUser(app, authorization, { clock, timeoutMs: 5_000 });
      expectNoSecret(await failureOf(act), [secret]);
    }
  }
});
