import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskFile } from '../../../client/index.ts';
import { hasOpenssl, makeCertificates } from '../transport/certificates.ts';
import { clientFor, errorOf } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

const artifact = { projectId: 'p', versionName: '1', environmentName: 'dev', commitHash: 'c' };
let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'millrace-disk-'));
});
afterAll(() => rm(root, { recursive: true }));

async function write(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), content);
}

const openssl = await hasOpenssl();
describe.each([
  ['', false],
  [` over TLS${openssl ? '' : ' (skipped: openssl, which makes the certificate, is not installed)'}`, true],
])('a server that reads slowly%s', (_, overTls) => {
  test.skipIf(overTls && !openssl)('receives every byte as it is on disk', async () => {
    // Sizes around the limits of one chunk and of one read, and a large file among many small ones.
    const sizes = [
      0, 1, 9000, 65_535, 65_536, 65_537, 262_143, 262_145, 3_000_000, 20, 30, 40, 5_000_000, 70_000,
    ];
    const contents = sizes.map((size) => randomBytes(size));
    for (const [index, content] of contents.entries()) await write(`slow/${index}.sql`, content);
    for (let index = 0; index < 50; index += 1) await write(`slow/small-${index}.sql`, contents[2] ?? '');

    const tls = overTls ? await makeCertificates() : undefined;
    const received = createHash('sha256');
    let length = 0;
    let tail = Buffer.alloc(0);
    const listener: Parameters<typeof createServer>[1] = (incoming, response) => {
      void (async () => {
        for await (const chunk of incoming as AsyncIterable<Buffer>) {
          received.update(chunk);
          length += chunk.length;
          tail = Buffer.concat([tail, chunk]).subarray(-100);
          for (let wait = 0; wait < 20; wait += 1) await turn();
        }
        reply(response, 201, {});
      })();
    };
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const origin = `${overTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { client } = clientFor(origin, tls === undefined ? {} : { ca: tls.ca });
    const names = [
      ...sizes.map((__, index) => `slow/${index}.sql`),
      ...Array.from({ length: 50 }, (__, index) => `slow/small-${index}.sql`),
    ];
    const files = await Promise.all(names.map((name) => diskFile(root, name)));
    await client.artifacts.create({ ...artifact, files });
    await client.close();
    server.close();

    const boundary = /--(millrace-[0-9a-f]+)--\r\n$/.exec(String(tail))?.[1] ?? 'none';
    const expected = createHash('sha256');
    let expectedLength = 0;
    const add = (part: string | Uint8Array): void => {
      expected.update(part);
      expectedLength += Buffer.byteLength(part);
    };
    for (const [index, name] of names.entries()) {
      add(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${path.posix.basename(name)}"\r\n` +
          'Content-Type: text/plain\r\n\r\n',
      );
      add(contents[index] ?? contents[2] ?? '');
      add('\r\n');
    }
    add(`--${boundary}--\r\n`);
    expect(length).toBe(expectedLength);
    expect(received.digest('hex')).toBe(expected.digest('hex'));
  });
});

test('a disk file has a key with forward slashes and its current size', async () => {
  await write('a/b c.sql', 'select 1;');
  expect(await diskFile(root, path.join('a', 'b c.sql'))).toMatchObject({ path: 'a/b c.sql', bytes: 9 });
});

test('the content of a disk file can be opened several times', async () => {
  await write('again.sql', 'select 1;');
  const file = await diskFile(root, 'again.sql');
  for (const content of [file.open(), file.open()]) expect(content).toEqual(Buffer.from('select 1;'));
});

describe('a file that changes after diskFile() aborts the upload and is named:', () => {
  test.each([
    ['a small one that grew', 10, (file: string) => appendFile(file, 'x')],
    ['a small one that shrank', 10, (file: string) => truncate(file, 3)],
    ['a large one that grew', 300_000, (file: string) => appendFile(file, 'x')],
    ['a large one that shrank', 300_000, (file: string) => truncate(file, 299_999)],
  ])('%s', async (_, bytes, change) => {
    await write('changing.sql', Buffer.alloc(bytes, 'a'));
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const file = await diskFile(root, 'changing.sql');
    await change(path.join(root, 'changing.sql'));
    const error = await errorOf(client.artifacts.create({ ...artifact, files: [file] }));
    expect(error).toMatchObject({ code: 'file-changed', details: { path: 'changing.sql', expected: bytes } });
    expect(server.received).toEqual([]);
  });

  test('one that was deleted', async () => {
    await write('gone.sql', 'x');
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const file = await diskFile(root, 'gone.sql');
    await rm(path.join(root, 'gone.sql'));
    const call = client.artifacts.create({ ...artifact, files: [file] });
    await expect(call).rejects.toMatchObject({ code: 'file-refused' });
    expect(server.received).toEqual([]);
  });
});

test.each([
  ['a missing file', 'nowhere.sql', 'nowhere.sql does not exist in '],
  ['a folder', 'a', 'a is not a file'],
])('%s is rejected and named', async (_, name, message) => {
  await mkdir(path.join(root, 'a'), { recursive: true });
  await expect(diskFile(root, name)).rejects.toMatchObject({
    code: 'file-refused',
    message: expect.stringContaining(message),
    where: { file: name },
  });
});
