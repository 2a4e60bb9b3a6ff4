import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { rawRequest, readRaw } from './raw.ts';
import { orchestration } from '../environment/orchestration.ts';
import { form, type Talk, talk } from './talk.ts';

async function openSocket(platform: Talk): Promise<Socket> {
  const { hostname, port } = new URL(platform.platform.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a thousand connections at once are all answered, and a new one too', async () => {
  await using platform = await talk();
  const sockets: Socket[] = [];
  for (let i = 0; i < 10; i += 1)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => openSocket(platform)))));
  const head = `GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${platform.platform.tokens.superAdmin}\r\nconnection: close\r\n\r\n`;
  const answers = await Promise.all(
    sockets.map((socket) => {
      socket.write(head);
      return readRaw(socket);
    }),
  );
  expect(answers.filter(({ text }) => text.startsWith('HTTP/1.1 200 '))).toHaveLength(1000);
  expect((await platform.get('/v1/projects')).status).toBe(200);
});

test('clients that never finish their head or body do not block others', async () => {
  await using platform = await talk();
  const slow = await Promise.all(Array.from({ length: 50 }, () => openSocket(platform)));
  for (const [index, socket] of slow.entries())
    socket.write(
      index % 2 === 0
        ? 'POST /v1/projects HTTP/1.1\r\nhost: loc'
        : `POST ${platform.project}/variables HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${platform.platform.tokens.superAdmin}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    );
  expect((await platform.publish('1')).status).toBe(201);
  expect((await platform.get('/v1/projects')).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('a body that is longer than allowed is refused before it has come, whatever length it says', async () => {
  await using platform = await talk();
  const socket = await rawRequest(platform, `POST ${platform.project}/variables`, {
    headers: ['content-type: application/json', 'content-length: 999999999999', 'connection: close'],
  });
  expect((await readRaw(socket)).text).toContain('HTTP/1.1 413 ');
});

test('YAML that expands without end is refused quickly', async () => {
  await using platform = await talk();
  const levels = Array.from({ length: 12 }, (_, i) => {
    const inner = i === 0 ? '"x"' : `*l${String(i - 1)}`;
    return `l${String(i)}: &l${String(i)} [${Array.from({ length: 10 }, () => inner).join(', ')}]`;
  });
  const bomb = `${levels.join('\n')}\npipeline: { components: *l11 }\n`;
  const deep = `pipeline: ${'['.repeat(20_000)}`;
  const answer = await platform.publish('1', {
    'a.orch.yaml': orchestration,
    'bomb.orch.yaml': bomb,
    'deep.orch.yaml': deep,
  });
  expect(answer).toMatchObject({
    status: 201,
    body: { ignoredResources: [{ name: 'bomb.orch.yaml' }, { name: 'deep.orch.yaml' }] },
  });
});

test('a NUL byte in a path is refused', async () => {
  await using platform = await talk();
  const answer = await platform.post(
    `${platform.project}/artifacts`,
    form({ 'a.orch.yaml': orchestration, 'b\u0000.sql': 'x' }),
    { headers: { versionName: '1', environmentName: 'dev', commitHash: 'abc' } },
  );
  expect(answer.status).toBe(400);
});
