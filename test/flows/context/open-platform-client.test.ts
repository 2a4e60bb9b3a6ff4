import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openPlatformClient } from '../../../flows/context/open-platform-client.ts';
import { Secret } from '../../../lib/config/environment/secret.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';

test('a proxy variable in lower case wins over the one in upper case', async () => {
  const reached: string[] = [];
  const proxy = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    reached.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    await using client = openPlatformClient({
      baseUrl: 'http://platform.invalid',
      credential: { kind: 'token', token: new Secret('token-of-the-test') },
      environment: {
        http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        HTTP_PROXY: 'http://127.0.0.1:9',
      },
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
    });
    await expect(client.projects.list({ size: 1 }, { deadlineMs: 2_000 })).rejects.toThrow(Error);
    expect(reached[0]).toContain('platform.invalid');
  } finally {
    proxy.close();
  }
});
