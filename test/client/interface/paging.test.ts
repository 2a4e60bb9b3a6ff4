import { describe, expect, test } from 'vitest';
import { clientFor, errorOf } from '../client-for.ts';
import { type Answering, reply, serve } from '../serve.ts';

interface Page {
  readonly items: readonly string[];
  readonly size: number;
  readonly total: number;
}

/** Serves the pages in order, then empty ones with the last total. */
async function servePages(pages: readonly Page[]): Promise<Answering> {
  return serve((response, { target }) => {
    const page = Number(new URL(target, 'http://x').searchParams.get('page') ?? 0);
    const { items, size, total } = pages[page] ?? {
      items: [],
      size: pages[0]?.size ?? 0,
      total: pages.at(-1)?.total ?? 0,
    };
    reply(response, 200, {
      page,
      size,
      total,
      results: items.map((name) => ({ id: name, name, description: null })),
    });
  });
}

async function namesOf(server: Answering, input: { page?: number; size?: number } = {}): Promise<string[]> {
  const { client } = clientFor(server.baseUrl);
  const names: string[] = [];
  for await (const { name } of client.projects.list(input)) names.push(name);
  return names;
}

describe('iterating a list', () => {
  test('yields the items of all pages and requests no page after the last', async () => {
    await using server = await servePages([
      { items: ['a', 'b'], size: 2, total: 5 },
      { items: ['c', 'd'], size: 2, total: 5 },
      { items: ['e'], size: 2, total: 5 },
    ]);
    expect(await namesOf(server, { size: 2 })).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(server.received.map(({ target }) => target)).toEqual([
      '/v1/projects?size=2',
      '/v1/projects?page=1&size=2',
      '/v1/projects?page=2&size=2',
    ]);
  });

  test('of an empty list sends one request', async () => {
    await using server = await servePages([{ items: [], size: 25, total: 0 }]);
    expect(await namesOf(server)).toEqual([]);
    expect(server.received.length).toBe(1);
  });

  test.each([
    ['grows', 2, 4, ['a', 'b', 'c', 'd']],
    ['shrinks', 4, 2, ['a', 'b']],
  ])('uses the newest total when it %s', async (_, first, then, names) => {
    await using server = await servePages([
      { items: ['a', 'b'], size: 2, total: Math.max(first, 3) },
      { items: then > 2 ? ['c', 'd'] : [], size: 2, total: then },
    ]);
    expect(await namesOf(server)).toEqual(names);
    expect(server.received.length).toBe(2);
  });

  test('continues after a short and after an empty page', async () => {
    await using server = await servePages([
      { items: ['a'], size: 2, total: 8 },
      { items: [], size: 2, total: 8 },
      { items: ['b', 'c'], size: 2, total: 8 },
      { items: ['d'], size: 2, total: 8 },
    ]);
    expect(await namesOf(server)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('ends after empty pages although the total is higher', async () => {
    await using server = await servePages([{ items: ['a'], size: 1, total: 1_000_000 }]);
    expect(await namesOf(server)).toEqual(['a']);
    expect(server.received.length).toBe(4);
  });

  test('works with a platform that returns the number of items as the size', async () => {
    await using server = await servePages([
      { items: ['a', 'b'], size: 2, total: 3 },
      { items: ['c'], size: 1, total: 3 },
    ]);
    expect(await namesOf(server)).toEqual(['a', 'b', 'c']);
    expect(server.received.length).toBe(2);
  });

  test('works with a platform that returns the requested size but fewer items', async () => {
    await using server = await servePages([
      { items: ['a', 'b'], size: 100, total: 5 },
      { items: ['c', 'd'], size: 100, total: 5 },
      { items: ['e'], size: 100, total: 5 },
    ]);
    expect(await namesOf(server, { size: 100 })).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(server.received.length).toBe(3);
  });

  test('fails when the platform answers every request with the first page', async () => {
    await using server = await serve((response) =>
      reply(response, 200, { page: 0, size: 1, total: 9, results: [{ id: 'a', name: 'a' }] }),
    );
    const { client } = clientFor(server.baseUrl);
    const names: string[] = [];
    const iterate = async (): Promise<void> => {
      for await (const { name } of client.projects.list()) names.push(name);
    };
    expect(await errorOf(iterate())).toMatchObject({ code: 'answer-unreadable' });
    expect(names).toEqual(['a']);
  });

  test('begins at the requested page', async () => {
    await using server = await servePages([
      { items: ['a'], size: 1, total: 2 },
      { items: ['b'], size: 1, total: 2 },
    ]);
    expect(await namesOf(server, { page: 1 })).toEqual(['b']);
  });

  test('that ends early requests no further page', async () => {
    await using server = await servePages([{ items: ['a', 'b'], size: 2, total: 100 }]);
    const { client } = clientFor(server.baseUrl);
    for await (const { name } of client.projects.list()) {
      expect(name).toBe('a');
      break;
    }
    expect(server.received.length).toBe(1);
  });
});

test('awaiting a list several times resolves to its first page each time', async () => {
  await using server = await servePages([{ items: ['a', 'b'], size: 2, total: 5 }]);
  const { client } = clientFor(server.baseUrl);
  const list = client.projects.list();
  expect(server.received.length).toBe(0);
  expect((await list).results.map(({ name }) => name)).toEqual(['a', 'b']);
  expect((await list).total).toBe(5);
  expect(server.received.length).toBe(1);
});

test('catch and finally work on a list', async () => {
  await using server = await servePages([{ items: ['a'], size: 1, total: 1 }]);
  const { client } = clientFor(server.baseUrl);
  const steps: string[] = [];
  const page = await client.projects.list().finally(() => steps.push('settled'));
  expect(page.total).toBe(1);
  const failed = await client.projects
    .list({ page: -1 })
    .catch((error: unknown) => error)
    .finally(() => steps.push('settled again'));
  expect(failed).toMatchObject({ code: 'request-invalid' });
  expect(steps).toEqual(['settled', 'settled again']);
});

test('pages() yields the pages with their envelopes', async () => {
  await using server = await servePages([
    { items: ['a'], size: 1, total: 2 },
    { items: ['b'], size: 1, total: 2 },
  ]);
  const { client } = clientFor(server.baseUrl);
  const pages: number[] = [];
  for await (const page of client.projects.list().pages())
    pages.push(page.page, page.results.length, page.total);
  expect(pages).toEqual([0, 1, 2, 1, 1, 2]);
});
