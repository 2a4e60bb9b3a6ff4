import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readGitHubAccess } from '../../../cli/worker/github-access.ts';
import { notifyTargets } from '../../../cli/worker/worker-setup.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Secret } from '../../../lib/config/environment/secret.ts';
import { workerFile } from '../../environment/worker/worker-environment.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const apiUrl = 'http://127.0.0.1:1';

/** worker.yaml with more at its end, and what variables and files hold. */
function begin(more: string, values: Readonly<Record<string, string>>) {
  const masked: string[] = [];
  const reader = {
    read: (variable: string | undefined, file: string | undefined) => values[variable ?? file ?? ''],
    mask: (secrets: readonly string[]) => void masked.push(...secrets),
  };
  return { config: readWorkerConfig(`${workerFile()}\n${more}`, 'worker.yaml'), reader, masked };
}

test('the App of worker.yaml comes before any token, and no line of its key can be printed', async () => {
  const { config, reader, masked } = begin('github: { app-id: 7, app-key-file: key.pem }', {
    'key.pem': privateKey,
  });
  const access = await readGitHubAccess(config.github, { apiUrl, token: new Secret('t') }, reader);
  expect(access.kind).toBe('app');
  const lines = privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-'));
  expect(masked).toEqual(expect.arrayContaining(lines));
});

test('a token of worker.yaml comes before an App of the environment, which comes before its token', async () => {
  const app = { id: '7', key: new Secret(privateKey) };
  const named = begin('github: { token-env: MINE }', { MINE: 'mine' });
  const first = await readGitHubAccess(named.config.github, { apiUrl, app }, named.reader);
  expect(await first.tokenFor(77)).toBe('mine');
  expect(named.masked).toEqual(['mine']);
  const plain = begin('', {});
  const both = { apiUrl, app, token: new Secret('t') };
  expect((await readGitHubAccess(plain.config.github, both, plain.reader)).kind).toBe('app');
  await expect(readGitHubAccess(plain.config.github, { apiUrl }, plain.reader)).rejects.toMatchObject({
    code: 'usage',
    where: { input: 'MILLRACE_GITHUB_TOKEN' },
  });
});

test.each([
  ['github: { token-file: token }', {}],
  ['', { token: new Secret('first'), tokenFile: 'token' }],
])('the token in a file is read for each use and never printed: %s', async (more, environment) => {
  const values: Record<string, string> = { token: 'first' };
  const { config, reader, masked } = begin(more, values);
  const access = await readGitHubAccess(config.github, { apiUrl, ...environment }, reader);
  expect(await access.tokenFor(77)).toBe('first');
  // The file while it is being written.
  for (const content of ['', undefined]) {
    Object.assign(values, { token: content });
    expect(await access.tokenFor(77)).toBe('first');
  }
  values['token'] = 'second';
  expect(await access.tokenFor(77)).toBe('second');
  expect(masked).toEqual(['first', 'second']);
});

const notify = 'notify: [{ url-env: ADDRESS, secret-file: secret.txt, events: [failed] }]';

test('notification targets come from variables and files, are read each time and never printed', () => {
  const values: Record<string, string> = {
    ADDRESS: 'https://alerts.example.com/x/',
    'secret.txt': 'one\ntwo',
  };
  const { config, reader, masked } = begin(notify, values);
  const [target] = notifyTargets(config.notify, reader);
  expect(target).toMatchObject({ events: ['failed'] });
  expect(target?.url()).toBe('https://alerts.example.com/x');
  values['secret.txt'] = 'three';
  expect(target?.secret()).toBe('three');
  expect(masked).toEqual(expect.arrayContaining(['https://alerts.example.com/x/', 'one', 'two', 'three']));
});

test.each<[string, Record<string, string>, string]>([
  ['a secret that is not there', { ADDRESS: 'https://a.example.com' }, 'secret.txt'],
  ['a secret of blanks', { ADDRESS: 'https://a.example.com', 'secret.txt': ' \n\t' }, 'secret.txt'],
  ['a secret without a key', { ADDRESS: 'https://a.example.com', 'secret.txt': 'whsec_' }, 'secret.txt'],
  [
    'a secret that decodes to nothing',
    { ADDRESS: 'https://a.example.com', 'secret.txt': 'whsec_**' },
    'secret.txt',
  ],
  ['an address that is none', { ADDRESS: 'ftp://a.example.com', 'secret.txt': 's' }, 'ADDRESS'],
])('%s is found at the start, by its name', (_, values, input) => {
  const { config, reader } = begin(notify, values);
  expect(() => notifyTargets(config.notify, reader)).toThrow(expect.objectContaining({ where: { input } }));
});

test.each([
  ['notify: [{ url: "https://a.example.com" }]', 'secret-env'],
  ['notify: [{ secret-env: A }]', 'url-env'],
  ['notify: [{ url: "https://user:pass@a.example.com", secret-env: A }]', 'without user'],
])('%s is refused', (more, words) => {
  expect(() => begin(more, {})).toThrow(words);
});
