import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readEnvironment } from '../../lib/config/environment/read-environment.ts';
import { readWorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { workerFile } from '../environment/worker/worker-environment.ts';
import { root } from './repository-files.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const fileSecret = z.strictObject({ file: z.string() });
const service = z.strictObject({
  build: z.string().optional(),
  image: z.string(),
  restart: z.literal('unless-stopped'),
  ports: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  secrets: z.array(z.string()),
  volumes: z.array(z.string()),
  networks: z.array(z.string()),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
    })
    .optional(),
  stop_grace_period: z.string(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
});
const compose = z
  .strictObject({
    name: z.string(),
    services: z.strictObject({ worker: service, redis: service }),
    networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
    volumes: z.record(z.string(), z.strictObject({})),
    secrets: z.record(z.string(), fileSecret),
  })
  .parse(parse(read('compose.yaml')));

const { worker, redis } = compose.services;

test('compose.yaml refers only to secrets, networks and services that it defines', () => {
  for (const one of [worker, redis]) {
    for (const secret of one.secrets) expect(compose.secrets).toHaveProperty(secret);
    for (const network of one.networks) expect(compose.networks).toHaveProperty(network);
    for (const name of Object.keys(one.depends_on ?? {})) expect(compose.services).toHaveProperty(name);
  }
  const used = [worker, redis].flatMap(({ secrets }) => secrets);
  expect(Object.keys(compose.secrets).toSorted()).toEqual(used.toSorted());
});

test('every secret is a file that the worker reads, and that git and the image ignore', () => {
  const environment = Object.entries(worker.environment ?? {});
  const files = environment.filter(([, value]) => value.startsWith('/run/secrets/'));
  expect(files.map(([, value]) => value.slice('/run/secrets/'.length)).toSorted()).toEqual(
    worker.secrets.toSorted(),
  );
  const asked: string[] = [];
  const values = Object.fromEntries([...files, ['MILLRACE_BASE_URL', 'https://platform.example.com']]);
  readEnvironment(values, (file) => {
    asked.push(file);
    return 'redis://:a@redis:6379';
  });
  // Each variable is one that Millrace knows.
  expect(asked.toSorted()).toEqual(files.map(([, value]) => value).toSorted());
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
  expect(read('.gitignore').split('\n')).toContain('secrets/');
  expect(read('.dockerignore').split('\n')).toContain('secrets');
});

test('the Redis persists its data, never evicts, and is reachable only for the worker', () => {
  const command = redis.command?.join(' ') ?? '';
  expect(command).toContain('--appendonly yes');
  expect(command).toContain('--maxmemory-policy noeviction');
  expect(redis.ports).toBeUndefined();
  expect(redis.networks).toEqual(['back']);
  expect(compose.networks['back']).toEqual({ internal: true });
  for (const port of worker.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the image does not run as root, and its last stage downloads nothing', () => {
  const lines = read('Dockerfile')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  expect(last.some((line) => line.startsWith('RUN'))).toBe(false);
  expect(last).toContain('USER node');
  expect(last.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
    last.findIndex((line) => line.startsWith('ENTRYPOINT')),
  );
  expect(lines.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
  // Without a Redis of yours it says so, and downloads none.
  expect(last.join('\n')).toContain('MILLRACE_INSTALL=never');
});

test('every file that the image copies from the repository exists', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  );
  expect(copied.length).toBeGreaterThan(3);
  for (const file of copied) expect(existsSync(join(root, file)), file).toBe(true);
});

test('the image contains every file that the npm package contains for its code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [, program = '', target] = /^RUN node (\S+) (\S+)$/m.exec(read('Dockerfile')) ?? [];
  expect(target).toBe('build');
  execFileSync(process.execPath, [join(root, program), join(folder, 'build')]);
  const filesIn = (place: string): readonly string[] =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(place, join(entry.parentPath, entry.name)));
  for (const part of ['cli', 'engine', 'lib', 'platform', 'worker']) {
    const needed = filesIn(join(root, part)).filter((file) => !/\.(ts|md)$/.test(file));
    expect(filesIn(join(folder, 'build', part)).toSorted()).toEqual(needed.toSorted());
  }
  // What the build runs must not be left out of what docker sends to it.
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toContain(`!${posix.dirname(program)}`);
});

test('compose gives the worker the time that docs/deploy.md promises for its end', () => {
  const config = readWorkerConfig(workerFile(), 'worker.yaml');
  expect(worker.stop_grace_period).toBe(`${config.drain / 1000 + 30}s`);
});

test('docs/deploy.md gives each secret to the user that reads it', () => {
  const page = read('docs/deploy.md').replaceAll(/\s+/g, ' ');
  const [, owners = ''] = /`(chown 1000 secrets\/\*[^`]*)`/.exec(page) ?? [];
  // The file for Valkey is the only one that the worker does not read, and its image has this user id.
  expect(owners).toContain('chown 999 secrets/redis-auth.conf');
  expect(owners.indexOf('1000')).toBeLessThan(owners.indexOf('999'));
});
