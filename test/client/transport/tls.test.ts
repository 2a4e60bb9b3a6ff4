import { beforeAll, describe, expect, test } from 'vitest';
import { type Certificates, hasOpenssl, makeCertificates } from './certificates.ts';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';
import { openTunnel } from './tunnel.ts';

const there = await hasOpenssl();
const title = `over TLS${there ? '' : ' (skipped: openssl, which makes the certificates, is not installed)'}`;

describe.skipIf(!there)(title, () => {
  let own: Certificates;
  let other: Certificates;
  beforeAll(async () => {
    [own, other] = await Promise.all([makeCertificates(), makeCertificates()]);
  });
  const platform = () => serve((response) => reply(response, 200, good.safe), own);

  test('a platform with a certificate of the authority in `ca` is trusted', async () => {
    await using server = await platform();
    const { client } = clientFor(server.baseUrl, { ca: own.ca });
    expect(server.baseUrl).toMatch(/^https:/);
    expect(await calls.safe(client)).toEqual(good.safe);
    await client.close();
  });

  test.each([
    ['the built-in ones', () => undefined],
    ['another one', () => other.ca],
  ])('with %s it is not trusted: the start was not sent and is not tried again', async (_, ca) => {
    await using server = await platform();
    const { client } = clientFor(server.baseUrl, { ca: ca() });
    const error = await errorOf(calls.once(client));
    expect(error).toMatchObject({ code: 'unreachable', attempts: 1, isUnknown: false });
    expect(error.message).toMatch(/certificate/i);
    expect(server.received).toEqual([]);
    await client.close();
  });

  test('the error for a platform without TLS is one line', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(server.baseUrl.replace('http:', 'https:'));
    const error = await errorOf(calls.once(client));
    expect(error).toMatchObject({ code: 'unreachable', attempts: 1 });
    expect(error.message).not.toContain('\n');
    await client.close();
  });

  test('a certificate for another name is not trusted', async () => {
    const elsewhere = await makeCertificates('DNS:elsewhere.example.com');
    await using server = await serve((response) => reply(response, 200, good.safe), elsewhere);
    const { client } = clientFor(server.baseUrl, { ca: elsewhere.ca });
    expect(await errorOf(calls.once(client))).toMatchObject({ code: 'unreachable', attempts: 1 });
    await client.close();
  });

  test.each([
    ['plain', false],
    ['itself over TLS', true],
  ])(
    'a proxy, %s, tunnels to the platform, and the credential is sent only inside the tunnel',
    async (_, overTls) => {
      await using server = await platform();
      await using tunnel = await openTunnel(overTls ? own : undefined);
      const proxy = tunnel.url.replace('//', '//user:pass%20word@');
      const named = server.baseUrl.replace('127.0.0.1', 'localhost');
      const { client } = clientFor(named, { ca: own.ca, proxy: { https: proxy } });
      expect(await calls.safe(client)).toEqual(good.safe);
      expect(tunnel.requests).toEqual([
        {
          target: new URL(named).host,
          authorization: `Basic ${Buffer.from('user:pass word').toString('base64')}`,
        },
      ]);
      expect(Object.fromEntries(server.received[0]?.headers ?? [])).toMatchObject({
        authorization: 'Bearer secret-token',
      });
      expect(server.received[0]?.headers.map(([name]) => name)).not.toContain('proxy-authorization');
      await client.close();
    },
  );

  test('an upload passes through the tunnel completely', async () => {
    await using server = await serve((response) => reply(response, 201, {}), own);
    await using tunnel = await openTunnel();
    const { client } = clientFor(server.baseUrl, { ca: own.ca, proxy: { https: tunnel.url } });
    const content = Buffer.alloc(3_000_000, 'x');
    await client.artifacts.create({
      projectId: 'p',
      versionName: '1',
      environmentName: 'dev',
      commitHash: 'c',
      files: [{ path: 'a.sql', bytes: content.length, open: () => content }],
    });
    expect(server.received[0]?.body.includes(content)).toBe(true);
    await client.close();
  });

  test('nothing is sent to an untrusted platform through a proxy', async () => {
    await using server = await platform();
    await using tunnel = await openTunnel();
    const { client } = clientFor(server.baseUrl, { ca: other.ca, proxy: { https: tunnel.url } });
    expect(await errorOf(calls.once(client))).toMatchObject({ code: 'unreachable', attempts: 1 });
    expect(server.received).toEqual([]);
    await client.close();
  });

  test('nothing is sent to an untrusted proxy with TLS', async () => {
    await using server = await platform();
    await using tunnel = await openTunnel(other);
    const { client } = clientFor(server.baseUrl, { ca: own.ca, proxy: { https: tunnel.url } });
    expect(await errorOf(calls.once(client))).toMatchObject({ code: 'unreachable', attempts: 1 });
    expect(tunnel.requests).toEqual([]);
    await client.close();
  });
});
