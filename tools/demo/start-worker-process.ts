import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import type { WorkerSetting } from './worker-process.ts';

/** A worker in a separate process. */
export interface WorkerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Sends SIGKILL, and resolves when the process has ended. */
  kill(): Promise<void>;
}

/** Starts a worker process, and waits until it listens. `environment`: variables beside this process's own. */
export async function startWorkerProcess(
  setting: WorkerSetting,
  environment: NodeJS.ProcessEnv = {},
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'worker-process.ts')], {
    env: { ...process.env, ...environment, MILLRACE_DEMO_WORKER: JSON.stringify(setting) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('A worker of the demo ended during its start.'))),
  ])) as [Buffer];
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    url: line.toString().trim(),
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
