import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Seed, startPlatform } from '../../../platform/index.ts';
import { startIdTokenIssuer } from '../../environment/id-token-issuer.ts';
import { inProcess } from '../in-process.ts';

const page = path.join(import.meta.dirname, '../../../docs/actions/identity.md');

test('the script of the page makes a seed and an ID token that the local platform exchanges', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-identity-'));
  try {
    const script = /```js\n(.*?)```/su.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
    writeFileSync(path.join(folder, 'try-identity.mjs'), script);
    execFileSync(process.execPath, ['try-identity.mjs'], { cwd: folder });
    const seed = JSON.parse(readFileSync(path.join(folder, 'seed.yaml'), 'utf8')) as Seed;
    await using platform = await startPlatform({ seed });
    const ended = await inProcess(['api', 'projects.list'], {
      cwd: folder,
      env: {
        MILLRACE_BASE_URL: platform.baseUrl,
        MILLRACE_TOKEN_URL: `${platform.baseUrl}/oauth/token`,
        MILLRACE_ID_TOKEN_FILE: path.join(folder, 'id-token'),
      },
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('warehouse') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a command exchanges the ID token of a CI from a file, and says where it is missing', async () => {
  await using ci = await startIdTokenIssuer();
  await using platform = await startPlatform({
    seed: {
      projects: [{ name: 'warehouse' }],
      issuers: [{ issuer: ci.issuer, keys: ci.keys }],
      credentials: [{ name: 'ci', role: 'member', identity: { issuer: ci.issuer, subject: ci.subject } }],
    },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-identity-'));
  try {
    const tokenUrl = `${platform.baseUrl}/oauth/token`;
    const env = { MILLRACE_BASE_URL: platform.baseUrl, MILLRACE_TOKEN_URL: tokenUrl };
    const list = (more: Record<string, string>) =>
      inProcess(['api', 'projects.list'], { cwd: folder, env: { ...env, ...more } });
    const token = await ci.sign({ aud: tokenUrl });
    writeFileSync(path.join(folder, 'token'), token);
    expect(await list({ MILLRACE_ID_TOKEN_FILE: path.join(folder, 'token') })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('warehouse'),
    });
    const wrong = await list({ MILLRACE_ID_TOKEN: await ci.sign({ aud: 'https://other.example.com' }) });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('the token URL refused the ID token (400): The claim "aud"');
    const none = await list({ MILLRACE_IDENTITY: 'token-exchange' });
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('This job has no ID token');
    expect(none.stderr).toContain('id-token: write');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
