import { Agent, request } from 'undici';
import * as z from 'zod';
import { Failure } from '../model/failure.ts';
import type { Session } from './session.ts';

/** A lane as the worker's API describes it. */
const laneAnswer = z.looseObject({
  id: z.string(),
  live: z.looseObject({ version: z.string().nullish() }).nullish(),
  active: z
    .looseObject({ id: z.string(), version: z.string().nullish(), status: z.string().nullish() })
    .nullish(),
  hold: z.looseObject({ why: z.string().nullish(), by: z.string().nullish() }).nullish(),
});

/** An answer that is only handed on. */
export const anyAnswer = z.looseObject({});

/** All lanes. */
export const lanesAnswer = z.object({ lanes: z.array(laneAnswer) });

/** A run as the worker's API describes it. */
const runAnswer = z.looseObject({
  id: z.string(),
  lane: z.string(),
  state: z.string(),
  outcome: z.string().nullish(),
  version: z.string().nullish(),
  status: z.string().nullish(),
});

/** Runs, newest first. */
export const runsAnswer = z.object({ runs: z.array(runAnswer) });

export type LaneAnswer = z.output<typeof laneAnswer>;

/**
 * Asks the API of a running worker. Throws Failure 'usage' without address or token, 'not-found', 'conflict',
 * 'unauthorized', 'unreachable'.
 */
export async function askWorker<Schema extends z.ZodType>(
  { settings, flow }: Session,
  call: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown },
  schema: Schema,
): Promise<z.output<Schema>> {
  const { workerUrl, workerToken } = settings;
  if (workerUrl === undefined || workerToken === undefined) {
    throw new Failure('usage', {
      message: 'It is not known where the worker is, or how to show who asks.',
      where: { input: workerUrl === undefined ? 'MILLRACE_WORKER_URL' : 'MILLRACE_WORKER_TOKEN' },
      mend: 'Set MILLRACE_WORKER_URL to the worker’s address and MILLRACE_WORKER_TOKEN to its token.',
    });
  }
  const dispatcher = new Agent();
  try {
    const { statusCode, body } = await request(`${workerUrl}/api/${call.path}`, {
      method: call.method,
      dispatcher,
      signal: flow.signal,
      headersTimeout: 10_000,
      headers: { authorization: `Bearer ${workerToken.reveal()}`, 'content-type': 'application/json' },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    }).catch((cause: unknown) => {
      flow.signal.throwIfAborted();
      throw new Failure('unreachable', {
        message: `The worker at ${workerUrl} cannot be reached.`,
        mend: 'Check MILLRACE_WORKER_URL, and that the worker runs.',
        cause,
      });
    });
    const answer: unknown = await body.json().catch(() => undefined);
    if (statusCode < 200 || statusCode >= 300) throw refusal(statusCode, answer);
    const read = schema.safeParse(answer);
    if (answer !== undefined && read.success) return read.data;
    throw new Failure('answer-unreadable', {
      message: `What answers at ${workerUrl} is no worker.`,
      where: { input: 'MILLRACE_WORKER_URL' },
      mend: 'Set MILLRACE_WORKER_URL to the address that `millrace worker` prints.',
    });
  } finally {
    await dispatcher.close();
  }
}

function refusal(status: number, answer: unknown): Failure {
  const said = z.looseObject({ error: z.string() }).safeParse(answer).data?.error ?? `it answered ${status}`;
  const code =
    status === 401 ? 'unauthorized' : status === 404 ? 'not-found' : status === 409 ? 'conflict' : 'usage';
  return new Failure(code, {
    message: `The worker refused: ${said}.`,
    mend: 'See `millrace lanes` and `millrace runs` for what there is.',
  });
}
