import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { firstOutput } from '../../../test/environment/processes/first-output.ts';

export type PollerKind = 'millrace' | 'bare';

export interface PollerOptions {
  readonly kind: PollerKind;
  readonly socket: string;
  readonly prefix: string;
  /** Base address of the platform. */
  readonly platform: string;
  readonly intervalMs: number;
  /** For the worker: the requests per minute that its bucket allows. */
  readonly perMinute: number;
  /** The length of this minute in milliseconds; default 60,000. */
  readonly rateLimitWindowMs?: number;
  /** For the worker: the factor for its waits between two polls. */
  readonly pollScale: number;
  /** For the bare program: the limiter of BullMQ. */
  readonly limiter?: { readonly max: number; readonly duration: number };
}

export interface Poller extends AsyncDisposable {
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `poller.ts` as a process of its own; resolves once it works. */
export async function startPoller(options: PollerOptions): Promise<Poller> {
  const script = path.join(import.meta.dirname, 'poller.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await firstOutput(child);
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  return { pid: child.pid ?? 0, kill, [Symbol.asyncDispose]: kill };
}
