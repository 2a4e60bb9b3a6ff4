import { describe, expect, test } from 'vitest';
import { readEnvironment, secretsOf } from '../../../../lib/config/environment/read-environment.ts';
import { resolveCredential } from '../../../../lib/config/worker/resolve-credential.ts';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { workerText } from '../worker/worker-text.ts';

const files: Record<string, string> = {
  '/token': 'from-file\n',
  '/hooks': 'new-one\r\n\nold-one\n',
  '/empty': '\n',
  '/key.pem': 'KEY\nLINE\n',
};

function readFile(path: string): string {
  const content = files[path];
  if (content === undefined) throw new Error(`ENOENT ${path}`);
  return content;
}

const read = (env: Record<string, string>) => readEnvironment(env, readFile);
const revealed = (env: Record<string, string>) => secretsOf(read(env)).map((secret) => secret.reveal());

describe('reading', () => {
  test('an empty environment yields only GitHub’s own address', () => {
    expect(read({})).toEqual({ webhookSecrets: [], github: { apiUrl: 'https://api.github.com' } });
  });

  test('all variables are read and trimmed, and empty ones are absent', () => {
    const settings = read({
      MILLRACE_BASE_URL: ' https://platform.example.com/eu/ ',
      MILLRACE_TOKEN: 'abc',
      MILLRACE_PROJECT_ID: 'p',
      MILLRACE_AGENT_VERSION: '',
      MILLRACE_REDIS_URL: 'redis://:pa%24s%zz@cache:6379',
      MILLRACE_WORKER_URL: 'http://127.0.0.1:8080',
      MILLRACE_WORKER_TOKEN: 'worker',
      GITHUB_TOKEN: 'fallback',
      GITHUB_API_URL: 'https://github.example.com/api/v3',
    });
    expect(settings).toMatchObject({
      baseUrl: 'https://platform.example.com/eu',
      projectId: 'p',
      workerUrl: 'http://127.0.0.1:8080',
      github: { apiUrl: 'https://github.example.com/api/v3' },
    });
    expect(settings).not.toHaveProperty('agentVersion');
    expect(settings.github.token?.reveal()).toBe('fallback');
    expect(settings.redisUrl?.reveal()).toBe('redis://:pa%24s%zz@cache:6379');
  });

  test('Millrace’s own GitHub token takes precedence over the runner’s', () => {
    expect(read({ MILLRACE_GITHUB_TOKEN: 'own', GITHUB_TOKEN: 'runner' }).github.token?.reveal()).toBe('own');
  });

  test('a secret from a file is read and keeps its path', () => {
    const { credential } = read({ MILLRACE_TOKEN_FILE: '/token' });
    expect(credential).toMatchObject({ kind: 'token', file: '/token' });
    expect(revealed({ MILLRACE_TOKEN_FILE: '/token' })).toEqual(['from-file']);
  });

  test('webhook secrets are one per line, for rotation', () => {
    expect(revealed({ MILLRACE_WEBHOOK_SECRET_FILE: '/hooks' })).toEqual(['new-one', 'old-one']);
  });

  test('client credentials need id, secret and address', () => {
    const env = {
      MILLRACE_CLIENT_ID: 'id',
      MILLRACE_CLIENT_SECRET: 'hidden',
      MILLRACE_TOKEN_URL: 'https://login.example.com/token',
      MILLRACE_AUDIENCE: 'api',
    };
    expect(read(env).credential).toMatchObject({ kind: 'client', clientId: 'id', audience: 'api' });
    const { MILLRACE_TOKEN_URL: _, ...half } = env;
    expect(() => read(half)).toThrow(
      expect.objectContaining({
        code: 'no-token',
        message: expect.stringContaining('Not set: MILLRACE_TOKEN_URL'),
      }),
    );
  });

  test('a workload identity takes its ID token from a variable, a file or GitHub', () => {
    const tokenUrl = 'https://login.example.com/token';
    const base = { MILLRACE_TOKEN_URL: tokenUrl };
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ids', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'asks' };
    const exchange = { kind: 'identity', way: 'token-exchange', tokenUrl };
    expect(read({ ...base, MILLRACE_ID_TOKEN_FILE: '/token' }).credential).toEqual({
      ...exchange,
      source: { file: '/token' },
    });
    expect(
      read({ ...base, MILLRACE_IDENTITY: 'client-assertion', MILLRACE_ID_TOKEN: 'a' }).credential,
    ).toMatchObject({ way: 'client-assertion' });
    const asked = {
      ...base,
      ...github,
      MILLRACE_IDENTITY: 'token-exchange',
      MILLRACE_ID_TOKEN_AUDIENCE: 'me',
    };
    expect(read(asked).credential).toMatchObject({
      ...exchange,
      source: { requestUrl: 'https://ids', audience: 'me' },
    });
    expect(revealed(asked)).toEqual(['asks']);
    // GitHub's variables alone choose nothing.
    expect(read({ ...github, MILLRACE_TOKEN: 'token' }).credential).toMatchObject({ kind: 'token' });
    expect(read({ ...base, MILLRACE_IDENTITY: 'token-exchange' })).toMatchObject({ lacksIdToken: true });
  });

  test('a GitHub App needs both id and key', () => {
    expect(revealed({ MILLRACE_GITHUB_APP_ID: '7', MILLRACE_GITHUB_APP_KEY_FILE: '/key.pem' })).toEqual([
      'KEY\nLINE',
    ]);
    expect(() => read({ MILLRACE_GITHUB_APP_ID: '7' })).toThrow(
      'MILLRACE_GITHUB_APP_ID is set, but MILLRACE_GITHUB_APP_KEY_FILE is not.',
    );
    expect(() => read({ MILLRACE_GITHUB_APP_KEY_FILE: '/key.pem' })).toThrow(
      'MILLRACE_GITHUB_APP_KEY_FILE is set, but MILLRACE_GITHUB_APP_ID is not.',
    );
  });

  test('the password in a Redis address is a secret, both as written and decoded', () => {
    expect(revealed({ MILLRACE_REDIS_URL: 'redis://u:a%24b@cache' })).toEqual([
      'redis://u:a%24b@cache',
      'a%24b',
      'a$b',
    ]);
    expect(revealed({ MILLRACE_REDIS_URL: '/run/redis.sock' })).toEqual([]);
  });
});

describe('errors name the variable and never its value', () => {
  test.each([
    [
      { MILLRACE_BASE_URL: 'platform.example.com' },
      'usage',
      'MILLRACE_BASE_URL is not an http or https address',
    ],
    [
      { MILLRACE_BASE_URL: 'https://ada:hidden@example.com' },
      'usage',
      'MILLRACE_BASE_URL contains a user or a password',
    ],
    [
      { MILLRACE_TOKEN: 'hidden', MILLRACE_TOKEN_FILE: '/token' },
      'usage',
      'MILLRACE_TOKEN and MILLRACE_TOKEN_FILE are both set',
    ],
    [
      { MILLRACE_IDENTITY: 'hidden' },
      'usage',
      'MILLRACE_IDENTITY must be token-exchange or client-assertion',
    ],
    [
      { MILLRACE_IDENTITY: 'token-exchange', MILLRACE_TOKEN: 'hidden' },
      'usage',
      'MILLRACE_IDENTITY and MILLRACE_TOKEN are both set',
    ],
    [
      { MILLRACE_ID_TOKEN: 'hidden', MILLRACE_CLIENT_SECRET: 'hidden' },
      'usage',
      'MILLRACE_ID_TOKEN and MILLRACE_CLIENT_SECRET are both set',
    ],
    [{ MILLRACE_ID_TOKEN: 'hidden' }, 'no-token', 'MILLRACE_TOKEN_URL is not'],
    [{ MILLRACE_TOKEN: 'Bearer hidden' }, 'usage', 'MILLRACE_TOKEN contains a space'],
    [
      { MILLRACE_TOKEN_FILE: '/nowhere' },
      'config-missing',
      'The file that MILLRACE_TOKEN_FILE names cannot be read',
    ],
    [{ MILLRACE_TOKEN_FILE: '/empty' }, 'config-missing', 'The file that MILLRACE_TOKEN_FILE names is empty'],
  ])('%j', (env, code, message) => {
    expect(() => readEnvironment(env, readFile)).toThrow(
      expect.objectContaining({ code, exitCode: 2, message: expect.stringContaining(message) }),
    );
    expect(() => readEnvironment(env, readFile)).not.toThrow('hidden');
  });
});

describe('a credential of worker.yaml', () => {
  const reference = (line: string) => {
    const text = workerText.replace(/ {2}warehouse: .*\n/, `  warehouse: { ${line} }\n`);
    const found = readWorkerConfig(text, 'worker.yaml').credentials['warehouse'];
    if (found === undefined) throw new Error('the text has no credential');
    return found;
  };
  const base = 'base-url: https://platform.example.com/';

  test('is resolved from the variables and files that it names', () => {
    const byName = resolveCredential(reference(`${base}, token-env: A`), { A: 'abc' }, readFile);
    expect(byName.baseUrl).toBe('https://platform.example.com');
    expect(byName.credential.kind === 'token' && byName.credential.token.reveal()).toBe('abc');
    const byFile = resolveCredential(
      reference('base-url-env: B, token-file: /token'),
      { B: 'http://b' },
      readFile,
    );
    expect(byFile).toMatchObject({ baseUrl: 'http://b', credential: { kind: 'token', file: '/token' } });
    const client = 'client-id-env: I, client-secret-file: /token, token-url: https://login.example.com/t';
    const access = resolveCredential(reference(client), { I: 'me', MILLRACE_BASE_URL: 'http://m' }, readFile);
    expect(access).toMatchObject({ baseUrl: 'http://m', credential: { kind: 'client', clientId: 'me' } });
  });

  test.each([
    [`${base}, token-env: A`, {}, 'no-token', 'A, which worker.yaml names, is not set'],
    [`${base}, token-file: /empty`, {}, 'no-token', '/empty, which worker.yaml names, is empty'],
    [
      `${base}, token-file: /nowhere`,
      {},
      'config-missing',
      '/nowhere, which worker.yaml names, cannot be read',
    ],
    ['token-env: A', { A: 'x' }, 'no-base-url', 'has no `base-url`, and MILLRACE_BASE_URL is not set'],
    ['token-env: A, base-url-env: B', { A: 'x' }, 'no-base-url', 'B is not set'],
  ])('%s with %j fails with %s', (line, env, code, message) => {
    expect(() => resolveCredential(reference(line), env, readFile)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
