import { type Dispatcher, request } from 'undici';
import * as z from 'zod';
import { type Connections, openConnections } from '../../lib/http/connections.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import { describeProblem } from '../../lib/http/transport-problem.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { viaHeader } from '../../worker/records/audit-entry.ts';
import { notFoundText } from '../../worker/records/not-found-text.ts';
import { keptIn, notKeptText } from '../../worker/records/not-kept-text.ts';
import type { Session } from '../kit/session.ts';

interface WorkerCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Default: MILLRACE_WORKER_URL and MILLRACE_WORKER_TOKEN, otherwise the running demo. */
  readonly access?: WorkerAccess;
}

interface WorkerAccess {
  readonly url: string;
  readonly token: string;
  readonly isDemo?: boolean;
}

/**
 * Calls the API of a running worker. Throws Failure 'usage' without address or token, 'not-found', 'conflict',
 * 'unauthorized', 'forbidden', 'unreachable', 'answer-unreadable'.
 */
export async function askWorker<Schema extends z.ZodType>(
  session: Session,
  call: WorkerCall,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { body, workerUrl, connections } = await sendCall(session, call);
  try {
    const answer: unknown = await body.json().catch(() => undefined);
    const read = schema.safeParse(answer);
    if (answer !== undefined && read.success) {
      warnIfNotKept(session, answer);
      return read.data;
    }
    throw notAWorker(workerUrl);
  } finally {
    await connections.close();
  }
}

/** What the worker does not know to be on a disk must not look as if it were. */
function warnIfNotKept({ output }: Session, answer: unknown): void {
  const kept = keptIn(answer);
  if (kept === 'no' || kept === 'unknown') output.logger.warn(notKeptText[kept]);
}

/**
 * The lines of an answer in NDJSON, as they arrive. Throws as `askWorker`, and 'unreachable' for an answer that is cut off.
 */
export async function* readWorkerLines(session: Session, path: string): AsyncGenerator<string> {
  const { body, workerUrl, connections } = await sendCall(session, { method: 'GET', path });
  try {
    yield* linesIn(body.setEncoding('utf8'));
  } catch (cause) {
    session.flow.signal.throwIfAborted();
    throw unreachable(workerUrl, cause);
  } finally {
    await connections.close();
  }
}

/** Not with readline, which also ends a line at characters that JSON leaves as they are. */
async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function notAWorker(workerUrl: string): Failure {
  return new Failure('answer-unreadable', {
    message: `${workerUrl} answered, but not as a worker of this version of Millrace.`,
    where: { input: 'MILLRACE_WORKER_URL' },
    hint: 'Another service or a sign-in page may answer at this address, or the worker may have another version. Set MILLRACE_WORKER_URL to the address that `millrace worker` prints, and use the version of the worker.',
  });
}

function unreachable(workerUrl: string, cause: unknown): Failure {
  return new Failure('unreachable', {
    message: `The worker at ${workerUrl} cannot be reached: ${describeProblem(cause)}.`,
    hint: 'Check MILLRACE_WORKER_URL, and that the worker is running.',
    cause,
  });
}

/** A good answer whose body is not read yet. */
interface Answer {
  readonly body: Dispatcher.ResponseData['body'];
  readonly workerUrl: string;
  /** Closed by the caller. */
  readonly connections: Connections;
}

/** Sends a call. Throws for an answer that is a refusal. */
async function sendCall(session: Session, call: WorkerCall): Promise<Answer> {
  const { flow } = session;
  const { url: workerUrl, token, isDemo = false } = call.access ?? (await findWorker(session));
  // The demo runs on this machine.
  const connections = openConnections({ proxy: isDemo ? undefined : proxyOf(session.io.env) });
  try {
    const { statusCode, body } = await request(`${workerUrl}/api/${call.path}`, {
      method: call.method,
      dispatcher: await connections.dispatcherFor(new URL(workerUrl).origin, false),
      signal: flow.signal,
      headersTimeout: call.timeoutMs ?? 10_000,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        [viaHeader.name]: viaHeader.commandLine,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    }).catch((cause: unknown) => {
      flow.signal.throwIfAborted();
      throw unreachable(workerUrl, cause);
    });
    if (statusCode < 200 || statusCode >= 300)
      throw refusal(statusCode, await body.json().catch(() => undefined), { path: call.path, workerUrl });
    return { body, workerUrl, connections };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** The worker of the environment; where nothing is set there, the demo of this user. */
async function findWorker({ io, settings, mask }: Session): Promise<WorkerAccess> {
  const { workerUrl, workerToken } = settings;
  if (workerUrl !== undefined && workerToken !== undefined)
    return { url: workerUrl, token: workerToken.reveal() };
  if (workerUrl === undefined && workerToken === undefined) {
    const { findRunningDemo } = await import('./demo-record.ts');
    const { worker } = findRunningDemo(io) ?? {};
    if (worker !== undefined) {
      mask([worker.token]);
      return { ...worker, isDemo: true };
    }
  }
  const missing = [
    ...(workerUrl === undefined ? ['MILLRACE_WORKER_URL (the address of the worker)'] : []),
    ...(workerToken === undefined ? ['MILLRACE_WORKER_TOKEN (your token)'] : []),
  ].join(' and ');
  throw new Failure('usage', {
    message: `The command needs a worker, but these variables are not set: ${missing}.`,
    where: { input: workerUrl === undefined ? 'MILLRACE_WORKER_URL' : 'MILLRACE_WORKER_TOKEN' },
    hint: 'Set MILLRACE_WORKER_URL to the address of the worker and MILLRACE_WORKER_TOKEN to your token.',
  });
}

type RefusalCode = 'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'unreachable';

const codes: Readonly<Record<number, RefusalCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  // The worker is reachable, but the platform or Redis, which it needs for the answer, is not.
  502: 'unreachable',
  503: 'unreachable',
};

const hints: Readonly<Record<number, string>> = {
  400: 'Correct the value. `--help` after the command shows what it takes.',
  401: 'Set MILLRACE_WORKER_TOKEN to your token. The hash of the token must be listed in worker.yaml.',
  403: 'Ask an operator with the role, or ask the owner of the worker to change the roles or approvers in worker.yaml.',
  409: '`millrace lanes` shows the state of each lane and how to lift its holds, and `millrace promotions` what was promoted.',
  502: 'Nothing has changed. Run the command again when the platform responds to the worker.',
  503: 'Run the command again when the worker can read its records; its `/readyz` shows whether it can.',
};

/** The subjects of calls, with the command that lists them. */
const subjects: readonly { readonly start: string; readonly name: string; readonly list: string }[] = [
  { start: 'promotions/', name: 'promotion', list: 'promotions' },
  { start: 'dead-letters/', name: 'dead letter', list: 'replay' },
  { start: 'pauses/', name: 'pause', list: 'lanes' },
];

function refusal(
  status: number,
  answer: unknown,
  { path, workerUrl }: { readonly path: string; readonly workerUrl: string },
): Failure {
  const error = z.looseObject({ error: z.string() }).safeParse(answer).data?.error;
  // A worker has every route that this program calls.
  if (status === 404 && error !== notFoundText) return notAWorker(workerUrl);
  const subject = subjects.find(({ start }) => path.startsWith(start));
  if (status === 404 && subject !== undefined) {
    const id = decodeURIComponent(path.slice(subject.start.length).split(/[/?]/)[0] ?? '');
    return new Failure('not-found', {
      message: `The worker has no ${subject.name} "${id}", or you do not have access to it.`,
      where: { input: subject.name },
      hint: `Give the id of a ${subject.name}: \`millrace ${subject.list}\` lists them.`,
    });
  }
  const reason = error ?? `status ${status}`;
  return new Failure(codes[status] ?? 'usage', {
    // A reason is a phrase or whole sentences.
    message: `The worker refused: ${/[.?]$/.test(reason) ? reason : `${reason}.`}`,
    hint:
      hints[status] ?? 'List the lanes with `millrace lanes` and the promotions with `millrace promotions`.',
  });
}
