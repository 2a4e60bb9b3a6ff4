import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { type PlatformOptions, type Seed, startPlatform } from '../../../platform/index.ts';
import { missingPostgres, type PostgresServer, startPostgresServer } from '../../environment/postgres.ts';

const agentId = '11111111-2222-4333-8444-555555555555';
const reference = { secretType: 'KEY_VAULT', secretLocation: 'vault', secretName: 'reader' };

function definition(
  connection: {
    readonly port: number;
    readonly database: string;
    readonly host?: string;
    readonly jdbcProperties?: object;
  },
  target: object = {},
) {
  return {
    name: 'orders',
    agentId,
    streamingSource: {
      type: 'postgres',
      connection: { host: '127.0.0.1', username: 'postgres', password: reference, ...connection },
      tables: [{ schema: 'public', table: 'orders' }],
    },
    streamingTarget: {
      type: 'warehouse',
      connection: {
        accountName: 'account',
        username: 'loader',
        authentication: { type: 'key-pair', privateKey: reference },
      },
      role: 'LOADER',
      warehouse: 'WH',
      database: 'DEV',
      stageSchema: 'STAGE',
      stageName: 'STAGED',
      stagePrefix: 'shop',
      tableSchema: 'public',
      tablePrefixType: 'PREFIX',
      transformationType: 'COPY_TABLE',
      temporalMapping: 'NATIVE',
      ...target,
    },
  };
}

function seedFor(port: number, more: Partial<Seed> = {}): Seed {
  return {
    settings: { execution: 'engine', streaming: 'engine' },
    projects: [{ name: 'shop', environments: ['dev', 'prod'] }],
    credentials: [{ name: 'me', role: 'superAdmin', token: 'token' }],
    secrets: [{ name: 'reader', environmentVariable: 'READER' }],
    streamingSources: [{ host: '127.0.0.1', port, secret: 'reader' }],
    ...more,
  };
}

/** What the tests read of answers. */
interface Body {
  readonly streamingPipelineId?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly hint?: string;
  readonly lag?: object;
  readonly warning?: string;
  readonly left?: readonly string[];
  readonly tables?: readonly { readonly name: string; readonly rows: number }[];
  readonly otherSlots?: readonly object[];
  readonly isSnapshotWanted?: boolean;
}

/** A platform and calls of its API. */
async function open(options: PlatformOptions) {
  const platform = await startPlatform({ environment: { READER: 'secret' }, ...options });
  const call = async (method: string, route: string, body?: object) => {
    const answer = await fetch(`${platform.baseUrl}${route}`, {
      method,
      headers: {
        authorization: 'Bearer token',
        accept: 'application/json',
        'x-millrace-platform': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
  };
  const pipelines = `/v1/projects/${platform.projectId}/streaming-pipelines`;
  return {
    platform,
    call,
    async create(body: object): Promise<string> {
      const answer = await call('POST', pipelines, body);
      expect(answer.status).toBe(201);
      return answer.body.streamingPipelineId ?? '';
    },
    command: (id: string, command: 'start' | 'stop') =>
      call('POST', `${pipelines}/${id}/commands`, { command }),
    status: async (id: string) => (await call('GET', `${pipelines}/${id}/status`)).body,
    page: async (id: string) => (await call('GET', `/_platform/streaming/${id}.json`)).body,
    /** The status, when it is the one that is waited for. */
    reached: (id: string, status: string) =>
      vi.waitFor(
        async () => {
          const { body } = await call('GET', `${pipelines}/${id}/status`);
          expect(body).toMatchObject({ status });
          return body;
        },
        { timeout: 30_000, interval: 20 },
      ),
    [Symbol.asyncDispose]: () => platform.close(),
  };
}

test('without `settings.streaming: engine`, each status and page says that it is simulated', async () => {
  await using shop = await open({ seed: seedFor(5432, { settings: { streamingTime: 1 } }) });
  expect(shop.platform.streaming).toBe('simulate');
  const id = await shop.create(definition({ host: 'does-not-exist.invalid', port: 1, database: 'none' }));
  await shop.command(id, 'start');
  expect(await shop.reached(id, 'streaming')).toEqual({ status: 'streaming', simulated: true });
  expect(await shop.page(id)).toMatchObject({ simulated: true, slot: null });
  expect(await shop.call('POST', `/_platform/streaming/${id}/snapshot`)).toMatchObject({ status: 409 });
});

describe('a start that cannot succeed ends with its reason', () => {
  test.each([
    [
      'a host that the seed does not name',
      { host: 'db.example.com', port: 5432 },
      {},
      /db\.example\.com:5432 is not one that the local platform may connect to/,
    ],
    ['another port of a host', { port: 2 }, {}, /127\.0\.0\.1:2 is not one/],
    ['a server that does not answer', { port: 1 }, {}, /127\.0\.0\.1:1/],
    [
      'a database that no environment has',
      { port: 1 },
      { database: 'OTHER' },
      /127\.0\.0\.1:1|No environment/,
    ],
  ])('%s', async (_, connection, target, reason) => {
    await using shop = await open({ seed: seedFor(1) });
    const id = await shop.create(definition({ database: 'shop', ...connection }, target));
    await shop.command(id, 'start');
    await vi.waitFor(async () => expect((await shop.status(id)).reason).toMatch(reason));
    await shop.command(id, 'stop');
    await shop.reached(id, 'not_running');
  });

  test.each([
    [
      'a secret that may not be sent there',
      {
        secrets: [{ name: 'reader', environmentVariable: 'READER' }],
        streamingSources: [{ host: '127.0.0.1', port: 1, secret: 'other' }],
      },
      /refers to the secret "reader", but only "other" may be sent to 127\.0\.0\.1:1/,
    ],
    ['a secret that does not exist', { secrets: [] }, /secret "reader" in "vault" does not exist/],
    [
      'a variable that is not set',
      { secrets: [{ name: 'reader', environmentVariable: 'MISSING' }] },
      /environment variable MISSING, which is not set/,
    ],
    [
      'a file that does not exist',
      { secrets: [{ name: 'reader', file: '/does/not/exist' }] },
      /cannot be read/,
    ],
    [
      'a secret of another vault',
      { secrets: [{ name: 'reader', location: 'elsewhere', environmentVariable: 'READER' }] },
      /does not exist on the local platform/,
    ],
  ] satisfies [string, Partial<Seed>, RegExp][])('%s', async (_, more, reason) => {
    await using shop = await open({ seed: seedFor(1, more) });
    const id = await shop.create(definition({ database: 'shop', port: 1 }));
    await shop.command(id, 'start');
    const { reason: message, hint } = await shop.reached(id, 'not_running');
    expect(message).toMatch(reason);
    expect(hint).not.toBe('');
  });
});

test('after a reset, a pipeline connects only when the earlier ones are removed from their sources', async () => {
  let connections = 0;
  let most = 0;
  let all = 0;
  // It never answers, so that the removal takes until its time-out.
  const silent = createServer((socket) => {
    connections += 1;
    all += 1;
    most = Math.max(most, connections);
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => (connections -= 1));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await using shop = await open({ seed: seedFor(port) });
  const start = async () => {
    const connection = { port, database: 'shop', jdbcProperties: { loginTimeout: 0.3 } };
    await shop.command(await shop.create(definition(connection)), 'start');
  };
  await start();
  await vi.waitFor(() => expect(all).toBe(1));
  shop.platform.reset();
  await start();
  // The first start, its removal, the second start.
  await vi.waitFor(() => expect(all).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
  // One at a time: its end may arrive a moment after the next one.
  expect(most).toBeLessThanOrEqual(2);
});

describe.skipIf(missingPostgres !== undefined)(`with a source (${missingPostgres ?? 'PostgreSQL'})`, () => {
  let server: PostgresServer;
  let client: pg.Client;

  beforeAll(async () => {
    server = await startPostgresServer();
    client = new pg.Client({
      host: server.folder,
      port: server.port,
      user: 'postgres',
      database: 'postgres',
    });
    await client.connect();
    await client.query(`ALTER USER postgres PASSWORD 'secret'`);
    await client.query('CREATE TABLE orders (id bigint PRIMARY KEY, note text)');
    await client.query(`INSERT INTO orders SELECT i, 'note' FROM generate_series(1, 10) i`);
  });

  afterAll(async () => {
    await client.end();
    await server[Symbol.asyncDispose]();
  });

  const metricsOf = async ({ baseUrl }: { readonly baseUrl: string }) =>
    (await fetch(`${baseUrl}/_platform/metrics`)).text();
  const source = () => ({ port: server.port, database: 'postgres' });
  const slots = async () => (await client.query('SELECT slot_name FROM pg_replication_slots')).rows;
  const rowsOf = async (shop: Awaited<ReturnType<typeof open>>) => {
    const { body } = await shop.call('GET', '/_platform/tables/1.json');
    return body.tables?.map(({ name, rows }) => [name, rows]);
  };

  test('rows arrive in the warehouse of the environment, and the deletion leaves nothing in the source', async () => {
    await using shop = await open({ seed: seedFor(server.port) });
    const id = await shop.create(definition(source()));
    expect(await shop.status(id)).toEqual({ status: 'not_running' });
    await shop.command(id, 'start');
    const streaming = await shop.reached(id, 'streaming');
    expect(streaming).not.toHaveProperty('simulated');
    expect(streaming.lag).toEqual({ bytes: expect.any(Number), seconds: expect.any(Number) });
    expect(await rowsOf(shop)).toEqual([['DEV.PUBLIC.SHOP_ORDERS', 10]]);
    await client.query(`INSERT INTO orders VALUES (11, 'more')`);
    await vi.waitFor(async () => expect(await rowsOf(shop)).toEqual([['DEV.PUBLIC.SHOP_ORDERS', 11]]));
    expect(await shop.page(id)).toMatchObject({
      status: 'streaming',
      tables: [{ table: 'public.orders', rows: 11 }],
      ignored: expect.arrayContaining(['streamingTarget.role']),
      otherSlots: [],
    });
    const html = await fetch(`${shop.platform.baseUrl}/_platform/streaming/${id}`, {
      headers: { accept: 'text/html' },
    });
    expect(await html.text()).toMatch(/Take a new snapshot/);
    expect(await shop.call('POST', `/_platform/streaming/${id}/snapshot`)).toMatchObject({ status: 204 });
    await shop.reached(id, 'streaming');
    expect(await shop.call('DELETE', `/_platform/streaming/${id}`)).toMatchObject({ status: 204 });
    expect(await slots()).toEqual([]);
    expect((await shop.call('GET', `/_platform/streaming/${id}.json`)).status).toBe(404);
    expect(shop.platform.ledger({ subject: id }).map(({ effect, operation }) => [effect, operation])).toEqual(
      [
        ['created', 'streamingPipelines.create'],
        ['started', 'streamingPipelines.command'],
        ['recorded', '_platform/streaming'],
        ['deleted', '_platform/streaming'],
      ],
    );
  });

  test('a platform with a folder continues after its restart; one in memory drops its slot at its end', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'millrace data '));
    try {
      const first = await open({ seed: seedFor(server.port), data });
      const id = await first.create(definition(source()));
      await first.command(id, 'start');
      await first.reached(id, 'streaming');
      await first.platform.close();
      expect(await slots()).toHaveLength(1);
      await client.query(`INSERT INTO orders VALUES (100, 'while it was stopped')`);
      await using second = await open({ data });
      await second.reached(id, 'streaming');
      const count = Number((await client.query('SELECT count(*) FROM orders')).rows[0].count);
      await vi.waitFor(async () => expect(await rowsOf(second)).toEqual([['DEV.PUBLIC.SHOP_ORDERS', count]]));
      await second.call('DELETE', `/_platform/streaming/${id}`);
      await using third = await open({ seed: seedFor(server.port) });
      const other = await third.create(definition(source()));
      await third.command(other, 'start');
      await third.reached(other, 'streaming');
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
    expect(await slots()).toEqual([]);
  });

  test('while it takes a snapshot, a start changes nothing, and a stop ends it', async () => {
    await using shop = await open({ seed: seedFor(server.port) });
    const id = await shop.create(definition(source()));
    const other = new pg.Client({ host: server.folder, port: server.port, user: 'postgres' });
    await other.connect();
    // The source waits with the snapshot until transactions that change something have ended.
    await other.query('BEGIN; SELECT pg_current_xact_id()');
    try {
      await shop.command(id, 'start');
      await shop.reached(id, 'snapshotting');
      expect((await shop.command(id, 'start')).status).toBe(200);
      expect((await shop.command(id, 'stop')).status).toBe(200);
      await shop.reached(id, 'not_running');
      expect(await slots()).toEqual([]);
    } finally {
      await other.end();
    }
    expect(shop.platform.ledger({ subject: id }).map(({ effect }) => effect)).toEqual([
      'created',
      'started',
      'stopped',
    ]);
  });

  test('a snapshot of a stopped pipeline is taken at the next start, also of another platform with its folder', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'millrace data '));
    try {
      const first = await open({ seed: seedFor(server.port), data });
      const id = await first.create(definition(source()));
      await first.command(id, 'start');
      await first.reached(id, 'streaming');
      await first.command(id, 'stop');
      await first.reached(id, 'not_running');
      expect(await first.page(id)).toMatchObject({ isSnapshotWanted: false });
      await first.call('POST', `/_platform/streaming/${id}/snapshot`);
      expect(await first.page(id)).toMatchObject({ status: 'not_running', isSnapshotWanted: true });
      const html = await fetch(`${first.platform.baseUrl}/_platform/streaming/${id}`, {
        headers: { accept: 'text/html' },
      });
      expect(await html.text()).toContain('requested, will be taken at the next start');
      await first.platform.close();
      await using second = await open({ data });
      await second.command(id, 'start');
      await second.reached(id, 'streaming');
      const count = Number((await client.query('SELECT count(*) FROM orders')).rows[0].count);
      expect((await second.page(id)).tables).toEqual([{ table: 'public.orders', rows: count }]);
      await second.call('DELETE', `/_platform/streaming/${id}`);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  test('a target that fits no environment, or several, is refused with the list; the seed can name one', async () => {
    const project = (...databases: string[]) => ({
      projects: [{ name: 'shop', environments: databases }],
    });
    await using none = await open({ seed: seedFor(server.port) });
    const lost = await none.create(definition(source(), { database: 'OTHER' }));
    await none.command(lost, 'start');
    expect((await none.reached(lost, 'not_running')).reason).toContain(
      'No environment of the project has a connection with the account "account" and the database "OTHER". Environments and their databases: dev (DEV), prod (PROD).',
    );
    await using named = await open({
      seed: seedFor(server.port, {
        ...project('dev', 'prod'),
        streamingTargets: [{ pipeline: 'orders', environment: 'prod' }],
      }),
    });
    const id = await named.create(definition(source(), { database: 'OTHER' }));
    await named.command(id, 'start');
    await named.reached(id, 'streaming');
    await named.call('DELETE', `/_platform/streaming/${id}`);
  });

  test('a pipeline that could never start is deleted; one whose publication is not its own says what is left', async () => {
    await using shop = await open({ seed: seedFor(server.port) });
    for (const body of [
      definition({ ...source(), host: 'db.example.com' }),
      definition(source(), { database: 'OTHER' }),
    ]) {
      const id = await shop.create(body);
      await shop.command(id, 'start');
      await shop.reached(id, 'not_running');
      expect((await shop.call('DELETE', `/_platform/streaming/${id}`)).status).toBeLessThan(300);
    }
    await client.query(`CREATE ROLE plain LOGIN REPLICATION PASSWORD 'secret'`);
    await client.query('GRANT SELECT ON orders TO plain');
    const body = definition(source());
    const connection = { ...body.streamingSource.connection, username: 'plain' };
    const id = await shop.create({ ...body, streamingSource: { ...body.streamingSource, connection } });
    await shop.command(id, 'start');
    const { reason, hint } = await shop.reached(id, 'not_running');
    const [create] = /CREATE PUBLICATION [^;]+/.exec(`${reason ?? ''} ${hint ?? ''}`) ?? [];
    await client.query(create ?? 'no statement');
    await shop.command(id, 'start');
    await shop.reached(id, 'streaming');
    const deleted = await shop.call('DELETE', `/_platform/streaming/${id}`);
    expect(deleted).toMatchObject({
      status: 200,
      body: { left: [expect.stringMatching(/^The publication millrace_\S+ may still be in the source: /)] },
    });
    expect(await slots()).toEqual([]);
    const { rows } = await client.query<{ pubname: string }>('SELECT pubname FROM pg_publication');
    for (const { pubname } of rows) await client.query(`DROP PUBLICATION ${pubname}`);
  });

  test('a stopped pipeline says how much log the source keeps for it, and warns before the disk is full', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'millrace data '));
    try {
      await using shop = await open({ seed: seedFor(server.port), data });
      const id = await shop.create(definition(source()));
      await shop.command(id, 'start');
      await shop.reached(id, 'streaming');
      await shop.command(id, 'stop');
      await shop.reached(id, 'not_running');
      await client.query(`SELECT pg_logical_emit_message(false, 'a', repeat('x', 20000000))`);
      await vi.waitFor(
        async () =>
          expect(await shop.status(id)).toMatchObject({
            status: 'not_running',
            lag: { bytes: expect.any(Number), seconds: expect.any(Number) },
            warning: expect.stringMatching(
              /^The source keeps 2\d MB of its log for this pipeline, which has not read it for /,
            ),
          }),
        { timeout: 10_000, interval: 100 },
      );
      const html = await fetch(`${shop.platform.baseUrl}/_platform/streaming/${id}`, {
        headers: { accept: 'text/html' },
      });
      expect(await html.text()).toMatch(/The source keeps 2\d MB of its log/);
      expect(await metricsOf(shop.platform)).toMatch(
        /^millrace_streaming_lag_bytes\{project="shop",pipeline="orders"\} 2\d{7}$/m,
      );
      await shop.platform.close();
      await using again = await open({ data });
      expect(await again.status(id)).toMatchObject({
        lag: { bytes: expect.any(Number) },
        warning: expect.any(String),
      });
      await again.command(id, 'start');
      expect(await again.reached(id, 'streaming')).not.toHaveProperty('warning');
      const live = await metricsOf(again.platform);
      expect(live).toMatch(
        /^millrace_streaming_status\{project="shop",pipeline="orders",status="streaming"\} 1$/m,
      );
      expect(live).toMatch(
        /^millrace_streaming_rows_total\{project="shop",pipeline="orders",table="public\.orders"\} \d+$/m,
      );
      await again.call('DELETE', `/_platform/streaming/${id}`);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
    expect(await slots()).toEqual([]);
  });

  test('a slot that nothing uses is listed, and dropped on request', async () => {
    await client.query(`SELECT pg_create_logical_replication_slot('millrace_left_behind', 'pgoutput')`);
    await client.query('CREATE PUBLICATION millrace_left_behind');
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    await using shop = await open({ seed: seedFor(server.port), logger });
    const id = await shop.create(definition(source()));
    await shop.command(id, 'start');
    await shop.reached(id, 'streaming');
    expect((await shop.page(id)).otherSlots).toEqual([
      { name: 'millrace_left_behind', behindBytes: expect.any(Number) },
    ]);
    expect(warnings).toEqual([
      `Nothing reads the replication slot millrace_left_behind, so its server keeps its log for it. If no other platform uses it, drop it at /_platform/streaming/${id}.`,
    ]);
    expect(await shop.call('POST', `/_platform/streaming/${id}/slots/not_there/drop`)).toMatchObject({
      status: 404,
    });
    expect(
      await shop.call('POST', `/_platform/streaming/${id}/slots/millrace_left_behind/drop`),
    ).toMatchObject({ status: 204 });
    expect(await slots()).toHaveLength(1);
    await shop.call('DELETE', `/_platform/streaming/${id}`);
    expect((await client.query('SELECT pubname FROM pg_publication')).rows).toEqual([]);
  });
});
