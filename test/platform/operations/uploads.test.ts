import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orchestration } from '../../environment/orchestration.ts';
import { form, resultsOf, type Talk, talk } from '../talk.ts';

let data = '';
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'platform-uploads-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

/** Every file that the platform keeps, temporary ones included. */
async function kept(): Promise<string[]> {
  const entries = await readdir(join(data, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const headers = { versionName: '1', environmentName: 'dev', commitHash: 'abc' };
const upload = (platform: Talk, body: unknown) =>
  platform.post(`${platform.project}/artifacts`, body, { headers });

test.each([
  ['an absolute path', '/etc/a.orch.yaml', 'has an absolute path'],
  ['an absolute path of another system', 'C:\\a.orch.yaml', 'has an absolute path'],
  ['a way out of the project', 'a/../../b.orch.yaml', 'has a path with "." or ".." in it'],
  ['a way out with backslashes', 'a\\..\\b.orch.yaml', 'has a path with "." or ".." in it'],
  ['an empty step', 'a//b.orch.yaml', 'has a path with an empty part'],
  ['a line feed', 'a\n.orch.yaml', 'has a control character in its path'],
  ['a control character', 'a\u0007.orch.yaml', 'has a control character in its path'],
  ['too long a path', `${'a'.repeat(1100)}.orch.yaml`, 'has a path of more than 1024 bytes'],
])('a part whose key is %s is refused, and no file is left behind (§4.3)', async (_what, path, violation) => {
  await using platform = await talk({ data });
  const answer = await upload(platform, form({ 'first.orch.yaml': orchestration, [path]: orchestration }));
  expect(answer.status).toBe(400);
  expect((answer.body as { detail: string }).detail).toContain(violation);
  expect(await kept()).toEqual([]);
  expect(resultsOf(await platform.get(`${platform.project}/artifacts/`))).toEqual([]);
});

test.each([
  ['by its name', 'all.zip', 'x', 'is an archive'],
  ['by its first bytes', 'all.sql', new Uint8Array([0x50, 0x4b, 3, 4, 20, 1]), 'is an archive'],
  ['compressed', 'all.txt', new Uint8Array([0x1f, 0x8b, 8, 1]), 'is an archive'],
])('an archive, found %s, is refused (§4.3, §8)', async (_how, path, content, violation) => {
  await using platform = await talk({ data });
  const answer = await upload(platform, form({ 'a.orch.yaml': orchestration, [path]: content }));
  expect(answer).toMatchObject({ status: 400, body: { violations: [expect.stringContaining(violation)] } });
  expect(await kept()).toEqual([]);
});

test('a binary file is refused: an artifact holds text (unknowns §3)', async () => {
  await using platform = await talk({ data });
  const answer = await upload(
    platform,
    form({ 'a.orch.yaml': orchestration, 'x.bin': new Uint8Array([65, 0, 66]) }),
  );
  expect(answer).toMatchObject({
    status: 400,
    body: { violations: ['The part "x.bin" is not a text file (§4.3, §2.6)'] },
  });
  expect(await kept()).toEqual([]);
});

test('a file that is not UTF-8 is refused at its first wrong byte, also at its end (unknowns §3)', async () => {
  await using platform = await talk({ data });
  for (const bytes of [Buffer.from('-- \xe9\n', 'latin1'), Buffer.from('-- é').subarray(0, -1)]) {
    const answer = await upload(platform, form({ 'a.orch.yaml': orchestration, 'x.sql': bytes }));
    expect(answer).toMatchObject({
      status: 400,
      body: { violations: ['The part "x.sql" is not UTF-8 at byte 4 (§4.3, §2.6)'] },
    });
    expect(await kept()).toEqual([]);
  }
});

test('an upload without files, or without a pipeline, is refused (§2.6, §4.3)', async () => {
  await using platform = await talk({ data });
  const boundary = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
  const empty = await platform.post(`${platform.project}/artifacts`, '--x--\r\n', { headers: boundary });
  expect(empty).toMatchObject({
    status: 400,
    body: { violations: [expect.stringContaining('has no file')] },
  });
  expect(await upload(platform, form({ 'a.sql': 'select 1' }))).toMatchObject({
    status: 400,
    body: { violations: [expect.stringContaining('at least one readable pipeline')] },
  });
  expect(await upload(platform, form({ 'a.orch.yaml': 'x: [' }))).toMatchObject({
    status: 400,
    body: {
      violations: [
        expect.stringContaining('at least one readable pipeline'),
        expect.stringContaining('a.orch.yaml: Line 1'),
      ],
    },
  });
  expect(await kept()).toEqual([]);
});

test('the same path twice is refused (§4.3)', async () => {
  await using platform = await talk({ data });
  const body = form({ 'a.orch.yaml': orchestration });
  body.append('a.orch.yaml', new Blob([orchestration]), 'again');
  expect(await upload(platform, body)).toMatchObject({
    status: 400,
    body: { violations: ['The part "a.orch.yaml" occurs twice (§4.3)'] },
  });
  expect(await kept()).toEqual([]);
});

test('a part without a file name is a file all the same: its key is the path (§4.3)', async () => {
  await using platform = await talk({ data });
  const body = new FormData();
  body.append('daily/a.orch.yaml', orchestration);
  expect((await upload(platform, body)).status).toBe(201);
  expect(await kept()).toHaveLength(1);
});

test('a part of the type application/json without a file name is kept as the JSON that it is (§2.6)', async () => {
  await using platform = await talk({ data });
  const part = (key: string, type: string, text: string) =>
    `--x\r\ncontent-disposition: form-data; name="${key}"\r\ncontent-type: ${type}\r\n\r\n${text}\r\n`;
  const body = `${part('a.orch.yaml', 'text/plain', orchestration)}${part('connector-profile:custom-1.json', 'application/json', '{"id":"1"}')}--x--\r\n`;
  const boundary = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
  expect((await platform.post(`${platform.project}/artifacts`, body, { headers: boundary })).status).toBe(
    201,
  );
  expect(await kept()).toContain(createHash('sha256').update('{"id":"1"}').digest('hex'));
});

test('files of the same content are kept once', async () => {
  await using platform = await talk({ data });
  await platform.publish('1', {
    'a.orch.yaml': orchestration,
    'b.orch.yaml': orchestration,
    'c.sql': 'select 1',
  });
  await platform.publish('2', { 'a.orch.yaml': orchestration });
  expect((await kept()).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  expect(await kept()).toHaveLength(2);
});

test('files of several sizes in one upload are kept byte by byte under their SHA-256', async () => {
  await using platform = await talk({ data });
  const mebibyte = 1024 ** 2;
  // Line ends with dashes are how the end of a part begins.
  const text = (seed: string, bytes: number) => `${seed}\r\n--`.repeat(bytes).slice(0, bytes);
  const files = {
    'a.orch.yaml': orchestration,
    'none.sql': '',
    'small.sql': text('small', 10),
    'block.sql': text('block', mebibyte),
    'more.sql': text('more', mebibyte + 1),
    'many.sql': text('many', 3.5 * mebibyte),
  };
  expect(await upload(platform, form(files))).toMatchObject({ status: 201 });
  const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
  expect((await kept()).toSorted()).toEqual(Object.values(files).map(sha256).toSorted());
  for (const content of Object.values(files)) {
    const name = sha256(content);
    const stored = await readFile(join(data, 'files', name.slice(0, 2), name), 'utf8');
    expect(stored === content).toBe(true);
  }
});

test('what is too large or too much is answered 413, and nothing of it is kept', async () => {
  await using platform = await talk({
    data,
    limits: { fileBytes: 500, uploadBytes: 1200, parts: 5, jsonBytes: 300 },
  });
  const tooLarge = await upload(platform, form({ 'a.orch.yaml': orchestration, 'b.sql': 'x'.repeat(501) }));
  expect(tooLarge).toMatchObject({ status: 413, body: { status: 413 } });
  const parts = Object.fromEntries(
    Array.from({ length: 4 }, (_, i) => [`${String(i)}.sql`, 'y'.repeat(400)]),
  );
  expect((await upload(platform, form(parts))).status).toBe(413);
  const many = Object.fromEntries(
    Array.from({ length: 7 }, (_, i) => [`${String(i)}.orch.yaml`, orchestration]),
  );
  expect((await upload(platform, form(many))).status).toBe(413);
  const json = await platform.post('/v1/projects', { name: 'z'.repeat(400) });
  expect(json).toMatchObject({ status: 413, body: { status: 413 } });
  expect(await kept()).toEqual([]);
});

test('a body that is not multipart is answered 415', async () => {
  await using platform = await talk({ data });
  expect((await upload(platform, { 'a.orch.yaml': orchestration })).status).toBe(415);
});

test('a broken multipart body is answered 400, and nothing of it is kept', async () => {
  await using platform = await talk({ data });
  const body = `--x\r\ncontent-disposition: form-data; name="a.orch.yaml"; filename="a"\r\n\r\n${orchestration}`;
  const boundary = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await platform.post(`${platform.project}/artifacts`, body, { headers: boundary });
  expect(answer).toMatchObject({ status: 400, body: { title: 'Bad Request' } });
  expect(await kept()).toEqual([]);
});

/** Sends the beginning of an upload, and waits until the platform keeps it. */
async function beginUpload(platform: Talk): Promise<Socket> {
  const { hostname, port } = new URL(platform.platform.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    head(platform, [
      '--x',
      'content-disposition: form-data; name="a.orch.yaml"; filename="a"',
      '',
      'type: "o"',
    ]),
  );
  await expect.poll(kept).toHaveLength(1);
  return socket;
}

test('a caller who hangs up in the middle leaves no file and no version behind', async () => {
  await using platform = await talk({ data });
  const socket = await beginUpload(platform);
  socket.destroy();
  await expect.poll(kept).toEqual([]);
  expect(resultsOf(await platform.get(`${platform.project}/artifacts/`))).toEqual([]);
});

test('of two uploads of one version at the same time, one wins and the other is answered 409', async () => {
  await using platform = await talk({ data });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      platform.publish('1', { 'a.orch.yaml': `${orchestration}# ${String(i)}\n` }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201, 409, 409, 409, 409, 409,
  ]);
  expect(await kept()).toHaveLength(1);
});

test('a refusal reaches a caller who is still sending megabytes', async () => {
  await using platform = await talk({ data });
  await platform.publish('1');
  const big = await platform.publish('1', {
    'a.orch.yaml': orchestration,
    'b.sql': 'x'.repeat(8 * 1024 ** 2),
  });
  expect(big.status).toBe(409);
});

test('a path keeps its spaces, its colons and its letters of any alphabet (§2.6, unknowns §5)', async () => {
  await using platform = await talk({ data });
  const paths = [
    'Täglich/läd daten/λ.orch.yaml',
    'a "quoted" folder /x.orch.yaml',
    'connector-profile:flex-1.json',
  ];
  const created = await upload(
    platform,
    form(Object.fromEntries(paths.map((path) => [path, orchestration]))),
  );
  expect(created.status).toBe(201);
  const names = resultsOf(await platform.get(`${platform.project}/published-pipelines`)).map(
    (row) => row['name'],
  );
  expect(names).toEqual(['Täglich/läd daten/λ.orch.yaml', 'a "quoted" folder /x.orch.yaml']);
});

test('a pipeline too large to be compiled is left out, other files of that size are not', async () => {
  await using platform = await talk({ data });
  const large = `# ${'x'.repeat(4 * 1024 ** 2)}\n`;
  const created = await upload(
    platform,
    form({ 'a.orch.yaml': orchestration, 'b.orch.yaml': large, 'c.sql': large }),
  );
  expect(created.body).toEqual({
    versionName: '1',
    ignoredResources: [{ name: 'b.orch.yaml', reason: 'The pipeline is larger than 4 MiB' }],
  });
});

test('a refusal waits for the rest of the body, so that the caller can read it and use the connection again', async () => {
  await using platform = await talk({ data });
  await platform.publish('1');
  const { hostname, port } = new URL(platform.platform.baseUrl);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('utf8')));
  await once(socket, 'connect');
  const request = head(platform, ['--x']);
  const [, sent = ''] = request.split('\r\n\r\n');
  socket.write(request);
  // Two round trips on another connection: an answer that did not wait would be here by now.
  await platform.get('/v1/projects');
  await platform.get('/v1/projects');
  expect(received).toBe('');
  socket.write('y'.repeat(100_000 - sent.length));
  await expect.poll(() => received).toContain('HTTP/1.1 409 Conflict');
  expect(received.toLowerCase()).not.toContain('connection: close');
  socket.destroy();
});

test('closing in the middle of an upload ends it and keeps nothing of it', async () => {
  const platform = await talk({ data });
  const socket = await beginUpload(platform);
  await platform.platform.close();
  await expect.poll(kept).toEqual([]);
  socket.destroy();
});

/** The beginning of an upload, as it goes over the wire. */
function head(platform: Talk, lines: readonly string[]): string {
  return [
    `POST ${platform.project}/artifacts HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${platform.platform.tokens.superAdmin}`,
    'versionName: 1',
    'environmentName: dev',
    'commitHash: abc',
    'content-type: multipart/form-data; boundary=x',
    'content-length: 100000',
    '',
    ...lines,
  ].join('\r\n');
}
