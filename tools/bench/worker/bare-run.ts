import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { DelayedError, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { projectId, webhookSecret } from '../../../test/environment/worker/worker-environment.ts';
import type { ProcessOptions } from '../../../test/worker/crash/worker-process.ts';

// The least work of a whole promotion: a verified push becomes a job, which reads the head, promotes, starts one
// execution, looks at it until it ends and sets a status. No lane, no gate, no intent, no fence, no history.
const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const platform = new Pool(new URL(options.platform).origin);
const github = new Pool(new URL(options.github).origin);
const repository = `${new URL(options.github).pathname}/repos/example/warehouse`;
const project = `/v1/projects/${projectId}`;
/** A tag promotes to the target that its first digit counts. */
const targetOf = (tag: string): string => options.targets?.[Number(tag.charAt(1)) - 1] ?? '';

interface Run {
  readonly tag: string;
  readonly commit: string;
  readonly execution?: string;
}

async function ask(
  pool: Pool,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await pool.request({
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'bench',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

process.once('SIGTERM', () => process.exit(0));
const { redis } = options;
if (redis.kind !== 'socket') throw new Error('The Redis of the bench listens on a socket.');
const connection = new Redis(redis.path, { maxRetriesPerRequest: null });
const prefix = options.settings.prefix ?? '{bare}';
const queue = new Queue<Run>('promotions', { connection, prefix });
const worker = new Worker<Run>(
  'promotions',
  async (job, token) => {
    const { tag, commit, execution } = job.data;
    const target = targetOf(tag);
    if (execution === undefined) {
      await ask(github, 'worker', 'GET', `${repository}/git/ref/tags/${tag}`);
      await ask(platform, options.token, 'POST', `${project}/artifacts/promotions`, {
        sourceEnvironmentName: 'dev',
        targetEnvironmentName: target,
        versionName: tag,
      });
      const started = await ask(platform, options.token, 'POST', `${project}/pipeline-executions`, {
        pipelineName: 'daily/load',
        environmentName: target,
        versionName: tag,
      });
      await job.updateData({ tag, commit, execution: String(started['pipelineExecutionId']) });
    } else {
      const { result } = await ask(
        platform,
        options.token,
        'GET',
        `${project}/pipeline-executions/${execution}`,
      );
      if ((result as { status: string }).status === 'SUCCESS')
        return void (await ask(github, 'worker', 'POST', `${repository}/statuses/${commit}`, {
          state: 'success',
          context: `millrace/to-${target}`,
          description: 'live',
        }));
    }
    await job.moveToDelayed(Date.now() + 50, token);
    throw new DelayedError();
  },
  { connection, prefix, concurrency: 50 },
);
worker.on('error', () => undefined);
worker.on('failed', (_, error) => process.stderr.write(`${error.message}\n`));
await worker.waitUntilReady();

const server = createServer((request, response) => {
  void (async () => {
    const body = await buffer(request);
    const right = createHmac('sha256', webhookSecret).update(body).digest();
    const signature = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex');
    if (!timingSafeEqual(signature, right)) return void response.writeHead(401).end();
    const push = JSON.parse(body.toString('utf8')) as { ref: string; after: string };
    await queue.add('promotion', { tag: push.ref.slice('refs/tags/'.length), commit: push.after });
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"fate":"accepted"}');
  })();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
