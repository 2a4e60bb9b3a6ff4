import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { serve } from '../serve.ts';

const body = Buffer.from(JSON.stringify(good.safe));

/** A platform that encodes its answers although the client did not request it. */
const encoding = (coding: string, bytes: Buffer, status = 200) =>
  serve((response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding });
    response.end(bytes);
  });

describe('an answer that the server encoded without a request is read:', () => {
  test.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['gzip, br', brotliCompressSync(gzipSync(body))],
    ['identity', body],
  ])('%s', async (coding, bytes) => {
    await using server = await encoding(coding, bytes);
    const { client } = clientFor(server.baseUrl);
    expect(await calls.safe(client)).toEqual(good.safe);
    await client.close();
  });
});

test('the message of an encoded error answer is read', async () => {
  const refusal = gzipSync(JSON.stringify({ error: 'the project is locked', status: 409 }));
  await using server = await encoding('gzip', refusal, 409);
  const { client } = clientFor(server.baseUrl);
  expect((await errorOf(calls.repeatable(client))).message).toContain('the project is locked');
  await client.close();
});

test('an answer that exceeds the limit after decoding is not read', async () => {
  const bomb = gzipSync(Buffer.alloc(4_000_000, ' '));
  await using server = await encoding('gzip', bomb);
  const { client } = clientFor(server.baseUrl, { maxAnswerBytes: 1_000_000 });
  expect(bomb.length).toBeLessThan(10_000);
  expect(await errorOf(calls.safe(client))).toMatchObject({
    code: 'answer-unreadable',
    message: 'projects.list: the answer is longer than the maximum that the client accepts.',
  });
  await client.close();
});

test.each([
  ['in an unknown encoding', 'rot13', body, 'it is encoded as “rot13”, which the client does not support'],
  ['in too many encodings', 'br, br, br, br, br', body, 'it is encoded as “br, br, br, br, br”'],
  ['that is not gzip', 'gzip', body, 'its gzip encoding is invalid'],
  ['that is truncated', 'gzip', gzipSync(body).subarray(0, 20), 'its gzip encoding is invalid'],
])(
  'an answer %s is unreadable after one attempt, and the error names the problem',
  async (_, coding, bytes, problem) => {
    await using server = await encoding(coding, bytes);
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls.safe(client));
    expect(error).toMatchObject({ code: 'answer-unreadable', attempts: 1 });
    expect(error.message).toContain(problem);
    await client.close();
  },
);

test('a start whose 2xx answer cannot be decoded has an unknown outcome', async () => {
  await using server = await encoding('rot13', body, 201);
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.once(client))).toMatchObject({ code: 'outcome-unknown' });
  expect(server.received).toHaveLength(1);
  await client.close();
});
