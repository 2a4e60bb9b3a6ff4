import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { UploadFile } from '../../../client/index.ts';
import { clientFor, errorOf } from '../client-for.ts';
import { type Received, reply, serve } from '../serve.ts';

const artifact = { projectId: 'p', versionName: '1', environmentName: 'dev', commitHash: 'c' };

function fileOf(name: string, content: string): UploadFile {
  const bytes = Buffer.from(content);
  return { path: name, bytes: bytes.length, open: () => bytes };
}

/** Key and content of each part, split at the boundary in the headers. */
function partsOf(request: Received): { key: string; head: string; content: string }[] {
  const contentType = request.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const boundary = contentType.split('boundary=')[1] ?? 'none';
  const text = request.body.toString('utf8');
  expect(text.endsWith(`--${boundary}--\r\n`)).toBe(true);
  return text
    .split(`--${boundary}\r\n`)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      const head = part.slice(0, end);
      const content = part.slice(end + 4).replace(/\r\n(--[\w-]+--\r\n)?$/, '');
      return { key: /name="([^"]*)"/.exec(head)?.[1] ?? '', head, content };
    });
}

test('500 files are sent as one part each, in order, with an exact content length', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  const files = Array.from({ length: 500 }, (_, index) =>
    fileOf(`folder ${index % 7}/file ${index}.sql`, `select ${index};\r\n`),
  );
  await client.artifacts.create({ ...artifact, files });

  const [request] = server.received;
  if (request === undefined) throw new Error('nothing was received');
  expect(request.headers).toContainEqual(['content-length', String(request.body.length)]);
  expect(request.headers.map(([name]) => name)).not.toContain('transfer-encoding');
  expect(partsOf(request).map(({ key, content }) => ({ key, content }))).toEqual(
    files.map(({ path: key }, index) => ({ key, content: `select ${index};\r\n` })),
  );
});

test('keys keep slashes, colons and non-ASCII characters; a quotation mark is encoded as in browsers', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  const names = ['connector-profile:custom-17.json', 'a/b /ü 🚀.sql', 'say "hi".py', 'back\\slash.sql'];
  await client.artifacts.create({ ...artifact, files: names.map((name) => fileOf(name, 'x')) });
  const parts = server.received.flatMap(partsOf);
  expect(parts.map(({ key }) => key)).toEqual([names[0], names[1], 'say %22hi%22.py', names[3]]);
  for (const { head } of parts) expect(head).toContain('\r\nContent-Type: text/plain');
});

test('files with readInto are sent completely, together with other files', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  let opened = 0;
  const contents = Array.from({ length: 300 }, (_, index) => `-- ü ${index}\n`.repeat(index * 7));
  const files = contents.map((content, index): UploadFile => {
    const plain = fileOf(`ö/${index}.sql`, content);
    if (index % 10 === 0) return plain;
    return {
      ...plain,
      readInto: (target) => Buffer.from(content).copy(target),
      open: () => {
        opened += 1;
        return plain.open();
      },
    };
  });
  await client.artifacts.create({ ...artifact, files });
  expect(server.received.flatMap(partsOf).map(({ content }) => content)).toEqual(contents);
  expect(opened).toBe(0);
});

test('an empty file is an empty part', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  await client.artifacts.create({ ...artifact, files: [fileOf('a.sql', ''), fileOf('b.sql', 'b')] });
  expect(server.received.flatMap(partsOf).map(({ content }) => content)).toEqual(['', 'b']);
});

test('files from disk are opened one after the other', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-upload-'));
  try {
    await writeFile(path.join(folder, 'f'), Buffer.alloc(300_000, 'f'));
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    let open = 0;
    let maxOpen = 0;
    const files = Array.from({ length: 20 }, (_, index) => ({
      path: `f${index}.sql`,
      bytes: 300_000,
      async *open() {
        open += 1;
        maxOpen = Math.max(maxOpen, open);
        yield* createReadStream(path.join(folder, 'f')) as AsyncIterable<Uint8Array>;
        open -= 1;
      },
    }));
    await client.artifacts.create({ ...artifact, files });
    expect({ open, maxOpen }).toEqual({ open: 0, maxOpen: 1 });
    expect(server.received.flatMap(partsOf).every(({ content }) => content.length === 300_000)).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an upload that the platform reads slowly is not read ahead into memory', async () => {
  const chunk = new Uint8Array(64 * 1024);
  let made = 0;
  const limit = 4096;
  const files = [
    {
      path: 'large.sql',
      bytes: chunk.length * limit,
      async *open() {
        for (; made < limit; made += 1) yield chunk;
      },
    },
  ];
  // A server that accepts the connection and reads nothing.
  const server = createSocketServer((socket) => socket.pause().on('error', () => {}));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { client } = clientFor(`http://127.0.0.1:${port}`, { timeoutMs: 300 });
  const error = await errorOf(client.artifacts.create({ ...artifact, files }));
  // No progress counts as no answer; the kernel's buffers take some megabytes, not 256.
  expect(error.code).toBe('outcome-unknown');
  expect(made).toBeLessThan(limit / 4);
  server.close();
});

describe('a file that differs from its announcement', () => {
  test.each([
    ['longer', 'four!', 'expected 4 bytes, read more'],
    ['shorter', 'fou', 'expected 4 bytes, read only 3'],
  ])('because it is %s aborts the upload and is named', async (_, content, reason) => {
    let whole = 0;
    await using server = await serve((response) => {
      whole += 1;
      reply(response, 201, {});
    });
    const { client } = clientFor(server.baseUrl);
    const changed = { ...fileOf('daily/load.orch.yaml', content), bytes: 4 };
    const error = await errorOf(
      client.artifacts.create({ ...artifact, files: [fileOf('a.sql', 'a'), changed] }),
    );
    expect(error).toMatchObject({ code: 'file-changed', isUserFault: true });
    expect(error.message).toContain('“daily/load.orch.yaml”');
    expect(error.message).toContain(reason);
    expect(whole).toBe(0);
  });

  test.each([
    ['longer', 'four!'],
    ['shorter', 'fou'],
  ])('because it is %s is named too where it has readInto', async (_, content) => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const changed: UploadFile = {
      ...fileOf('daily/load.orch.yaml', content),
      bytes: 4,
      readInto: (target) => Buffer.from(content).copy(target),
    };
    const error = await errorOf(
      client.artifacts.create({ ...artifact, files: [fileOf('a.sql', 'a'), changed] }),
    );
    expect(error).toMatchObject({
      code: 'file-changed',
      details: { path: 'daily/load.orch.yaml', expected: 4 },
    });
    expect(server.received).toEqual([]);
  });

  test('because it never ends aborts the upload too', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const chunk = new Uint8Array(64 * 1024);
    const endless = {
      path: 'endless.sql',
      bytes: 4 * chunk.length,
      async *open() {
        for (;;) yield chunk;
      },
    };
    const error = await errorOf(client.artifacts.create({ ...artifact, files: [endless] }));
    expect(error).toMatchObject({ code: 'file-changed', details: { path: 'endless.sql' } });
  });

  test('because it cannot be read fails as such, not as a broken connection', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const file = {
      path: 'a.sql',
      bytes: 4,
      open: () => createReadStream('/nowhere/at/all') as AsyncIterable<Uint8Array>,
    };
    await expect(client.artifacts.create({ ...artifact, files: [file] })).rejects.toMatchObject({
      name: 'FileUnreadable',
      code: 'file-refused',
      operation: 'artifacts.create',
      message: expect.stringMatching(/“a\.sql” cannot be read: .*ENOENT/) as string,
    });
  });

  test('because it yields text is rejected, not copied as bytes', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const file = {
      path: 'a.sql',
      bytes: 5,
      open: () => Readable.from(['12345']) as AsyncIterable<Uint8Array>,
    };
    expect(await errorOf(client.artifacts.create({ ...artifact, files: [file] }))).toMatchObject({
      code: 'file-refused',
      message: expect.stringContaining('text instead of bytes') as string,
    });
    expect(server.received).toEqual([]);
  });

  test('because it yields nothing is released when the upload ends', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const silent = new Readable({ read() {} });
    const cancel = new AbortController();
    const open = (): AsyncIterable<Uint8Array> => {
      setImmediate(() => cancel.abort());
      return silent;
    };
    const files = [{ path: 'a.sql', bytes: 5, open }];
    const { signal } = cancel;
    expect(await errorOf(client.artifacts.create({ ...artifact, files }, { signal }))).toMatchObject({
      code: 'cancelled',
    });
    expect(silent.destroyed).toBe(true);
  });
});

describe('an upload from a slow source', () => {
  const slowFile = (chunks: number, chunkBytes: number, pauseMs: number): UploadFile => ({
    path: 'slow.sql',
    bytes: chunks * chunkBytes,
    async *open() {
      for (let nth = 0; nth < chunks; nth += 1) {
        await sleep(pauseMs);
        yield new Uint8Array(chunkBytes);
      }
    },
  });

  test('makes progress while it yields less than one chunk', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl, { timeoutMs: 1_000 });
    await client.artifacts.create({ ...artifact, files: [slowFile(12, 10, 100)] });
    expect(server.received.length).toBe(1);
  });

  test('ends at the deadline although it makes progress', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    const call = client.artifacts.create(
      { ...artifact, files: [slowFile(20, 200_000, 100)] },
      { deadlineMs: 500 },
    );
    expect((await errorOf(call)).message).toContain('no answer within 500 ms');
    expect(server.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

test('an exception in the progress callback ends the call before anything is created', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  const gone = new Error('the bar is gone');
  const call = client.artifacts.create(
    { ...artifact, files: [fileOf('a.sql', 'x')] },
    {
      onProgress() {
        throw gone;
      },
    },
  );
  await expect(call).rejects.toBe(gone);
  expect(server.received).toEqual([]);
});

describe('a list of files', () => {
  test.each([
    ['that is empty', []],
    ['with a path twice', [fileOf('a', 'x'), fileOf('a', 'y')]],
    ['with an empty path', [fileOf('', 'x')]],
    ['with null instead of a file', [null as unknown as UploadFile]],
    ['with an invalid size', [{ ...fileOf('a', 'x'), bytes: NaN }]],
  ])('%s is rejected before sending', async (_, files) => {
    await using server = await serve((response) => reply(response, 201, {}));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(client.artifacts.create({ ...artifact, files }))).toMatchObject({
      code: 'request-invalid',
      violations: [{ field: 'files' }],
    });
    expect(server.received).toEqual([]);
  });

  test.each(['a\nb.sql', 'a\rb.sql', 'a\u0000b.sql', 'a\uD800.sql'])(
    'with the key %j is rejected before sending',
    async (name) => {
      const { client } = clientFor('http://127.0.0.1:9');
      const error = await errorOf(client.artifacts.create({ ...artifact, files: [fileOf(name, 'x')] }));
      expect(error.code).toBe('value-unsendable');
    },
  );
});

test('an upload that is refused with 429 is repeated completely', async () => {
  await using server = await serve((response, _, nth) =>
    nth === 1 ? reply(response, 429) : reply(response, 201, {}),
  );
  const { client } = clientFor(server.baseUrl);
  await client.artifacts.create({ ...artifact, files: [fileOf('a.sql', 'select 1;')] });
  expect(server.received.map((request) => partsOf(request).map(({ content }) => content))).toEqual([
    ['select 1;'],
    ['select 1;'],
  ]);
});

test('an upload that is answered with 500 is not repeated: the artifact may exist', async () => {
  await using server = await serve((response) => reply(response, 500));
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(client.artifacts.create({ ...artifact, files: [fileOf('a.sql', 'x')] }));
  expect(error).toMatchObject({ code: 'outcome-unknown', versionName: '1', status: 500 });
  expect(server.received.filter(({ method }) => method === 'POST').length).toBe(1);
});

test('an upload that is refused before it was read completely fails, and its file is released', async () => {
  const chunk = new Uint8Array(64 * 1024);
  let open = 0;
  const file = {
    path: 'large.sql',
    bytes: chunk.length * 512,
    async *open() {
      open += 1;
      try {
        for (let sent = 0; sent < 512; sent += 1) yield chunk;
      } finally {
        open -= 1;
      }
    },
  };
  const server = createServer((_, response) => reply(response, 403, { error: 'not you', status: 403 }));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { client } = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const error = await errorOf(client.artifacts.create({ ...artifact, files: [file] }));
  expect(error).toMatchObject({ code: 'forbidden', status: 403, attempts: 1, body: { error: 'not you' } });
  await client.close();
  expect(open).toBe(0);
  server.closeAllConnections();
  server.close();
});

test('an upload that is answered with 413 before it was read completely fails as too large', async () => {
  const server = createServer((_, response) => {
    response.writeHead(413, { 'content-type': 'text/html', connection: 'close' });
    response.end('<html><title>413 Request Entity Too Large</title></html>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { client } = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const large = Buffer.alloc(16_000_000, 'x');
  const files = [{ path: 'large.sql', bytes: large.length, open: () => large }];
  const error = await errorOf(client.artifacts.create({ ...artifact, files }));
  expect(error).toMatchObject({ code: 'request-invalid', status: 413, attempts: 1, isUnknown: false });
  expect(error.message).toContain('the request is too large for the platform, or for a proxy before it');
  expect(error.hint).toContain('a higher limit of the request body');
  await client.close();
  server.closeAllConnections();
  server.close();
});

test('a cancellation while a file is being opened ends the call and releases the file', async () => {
  await using server = await serve((response) => reply(response, 201, {}));
  const { client } = clientFor(server.baseUrl);
  const abort = new AbortController();
  let open = 0;
  function* chunks(): Generator<Uint8Array> {
    open += 1;
    try {
      abort.abort();
      yield new Uint8Array(300_000);
    } finally {
      open -= 1;
    }
  }
  const file: UploadFile = { path: 'large.sql', bytes: 300_000, chunks, open: () => new Uint8Array(300_000) };
  const call = client.artifacts.create({ ...artifact, files: [file] }, { signal: abort.signal });
  expect(await errorOf(call)).toMatchObject({ code: 'cancelled' });
  await expect.poll(() => open).toBe(0);
  expect(server.received).toEqual([]);
});

test('progress is reported in bytes from zero to the total, again for a repeated upload', async () => {
  await using server = await serve((response, _, nth) => reply(response, nth === 1 ? 503 : 201, {}));
  const { client } = clientFor(server.baseUrl);
  const chunk = new Uint8Array(100_000);
  const notified: [number, number][] = [];
  await client.sharedArtifacts.publish(
    {
      sharedPipelineIdPrefix: 'finance',
      versionName: '1',
      files: Array.from({ length: 10 }, (_, index) => ({
        path: `f${index}.sql`,
        bytes: chunk.length,
        open: () => chunk,
      })),
    },
    { onProgress: (sent, total) => notified.push([sent, total]) },
  );
  const whole = server.received[0]?.body.length ?? 0;
  expect(new Set(notified.map(([, total]) => total))).toEqual(new Set([whole]));
  const ends = notified.flatMap(([sent], index) => (sent === whole ? [index] : []));
  expect(ends).toEqual([notified.length / 2 - 1, notified.length - 1]);
  const first = notified.slice(0, notified.length / 2).map(([sent]) => sent);
  expect(first.length).toBeGreaterThan(3);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
});
