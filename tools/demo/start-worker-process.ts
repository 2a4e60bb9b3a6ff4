import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import type { WorkerSetting } from './worker-process.ts';

/** A worker in a process of its own. */
export interface WorkerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** SIGKILL: it has no time for last words. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts one, and waits until it listens. */
export async function startWorkerProcess(setting: WorkerSetting): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'worker-process.ts')], {
    env: { ...process.env, MILLRACE_DEMO_WORKER: JSON.stringify(setting) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    gone.then(() => Promise.reject(new Error('A worker of the demo ended before it listened.'))),
  ])) as [Buffer];
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
  };
  return {
    url: line.toString().trim(),
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
