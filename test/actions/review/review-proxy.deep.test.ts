import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasOpenssl, makeCertificates } from '../../client/transport/certificates.ts';
import { openTunnel } from '../../client/transport/tunnel.ts';
import { leaksOf } from '../leaks.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from '../action-environment.ts';
import { orchestration } from '../warehouse-files.ts';

const openssl = await hasOpenssl();
const host = 'github.example.test';
const password = 'pr0xy p@ss';
let testEnvironment: ActionEnvironment;
let number: number;

beforeEach(async () => {
  testEnvironment = await createActionEnvironment();
  const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

/** The address of a proxy, with a user and a password that no log may show. */
function withUser(address: string): string {
  const url = new URL(address);
  url.username = 'me';
  url.password = encodeURIComponent(password);
  return url.href;
}

describe('behind a proxy', () => {
  test('all requests to GitHub go through the proxy, except to hosts of NO_PROXY', async () => {
    const { port } = new URL(testEnvironment.github.url);
    await using tunnel = await openTunnel(undefined, (target) => target.replace(host, '127.0.0.1'));
    const result = await testEnvironment.pullRequest(number, {
      action: '',
      more: {
        apiUrl: `http://${host}:${port}/api/v3`,
        env: { HTTP_PROXY: withUser(tunnel.url), NO_PROXY: 'elsewhere.example.test,127.0.0.1' },
      },
    });
    expect([result.exitCode, result.annotations]).toEqual([1, []]);
    expect(testEnvironment.github.repository(repository).checkRuns).toHaveLength(1);
    expect(new Set(tunnel.requests.map(({ target }) => target))).toEqual(new Set([`${host}:${port}`]));
    const basic = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
    expect(new Set(tunnel.requests.map(({ authorization }) => authorization))).toEqual(new Set([basic]));
    expect(leaksOf([password], [result.raw])).toEqual([]);
    expect(
      testEnvironment.github.requests.map(({ status }) => status).filter((status) => status >= 400),
    ).toEqual([]);
  });

  test('a host of NO_PROXY is reached without the proxy', async () => {
    await using tunnel = await openTunnel();
    const env = { HTTP_PROXY: tunnel.url, NO_PROXY: '.example.test,127.0.0.1' };
    const apiUrl = `http://${host}:1/api/v3`;
    const result = await testEnvironment.pullRequest(number, { action: '', more: { apiUrl, env } });
    // The name leads nowhere without the proxy, which is another way to see that it was not asked.
    expect([result.exitCode, result.summary.includes('The check run was not written')]).toEqual([1, true]);
    expect(tunnel.requests).toEqual([]);
  });

  test('an unreachable proxy prevents reports but not the verdict, and its password is not shown', async () => {
    const env = { HTTP_PROXY: withUser('http://127.0.0.1:1'), NO_PROXY: '127.0.0.1' };
    const apiUrl = `http://${host}/api/v3`;
    const result = await testEnvironment.pullRequest(number, { action: '', more: { apiUrl, env } });
    expect([result.exitCode, result.annotations[0]?.title]).toEqual([1, 'component-naming-convention']);
    expect(leaksOf([password], [result.raw])).toEqual([]);
  });

  test.skipIf(!openssl)(
    `an own server over TLS is reached through HTTPS_PROXY${openssl ? '' : ' (skipped: openssl, which makes the certificate, is not installed)'}`,
    async () => {
      const { ca, cert, key } = await makeCertificates(`DNS:${host}`);
      const front = createServer({ cert, key }, (incoming, answer) => {
        const { method = 'GET', url = '/', headers } = incoming;
        const onward = request(new URL(url, testEnvironment.github.url), { method, headers }, (back) => {
          answer.writeHead(back.statusCode ?? 502, back.headers);
          back.pipe(answer);
        });
        incoming.pipe(onward);
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = front.address() as AddressInfo;
        await using tunnel = await openTunnel(undefined, () => `127.0.0.1:${String(port)}`);
        const caFile = join(testEnvironment.folder, 'ca.pem');
        await writeFile(caFile, ca);
        const env = { HTTPS_PROXY: tunnel.url, NO_PROXY: '127.0.0.1', NODE_EXTRA_CA_CERTS: caFile };
        const apiUrl = `https://${host}/api/v3`;
        const result = await testEnvironment.pullRequest(number, { action: '', more: { apiUrl, env } });
        expect([result.exitCode, result.annotations]).toEqual([1, []]);
        expect(new Set(tunnel.requests.map(({ target }) => target))).toEqual(new Set([`${host}:443`]));
        expect(testEnvironment.github.repository(repository).checkRuns).toHaveLength(1);
      } finally {
        front.closeAllConnections();
        front.close();
      }
    },
  );
});
