import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithParent } from '../../environment/processes/end-with-parent.ts';
import { until } from './until.ts';

export interface Observed {
  /** Where it opened connections to, since its start: `host:port`, or a path. */
  readonly connections: readonly string[];
  /** Milliseconds of CPU of the longest turn of its event loop, during which it answered no request. */
  readonly maxBlockMs: number;
}

/** A worker in a process of its own. */
export interface WorkerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly alive: boolean;
  /** When it was killed or ended by itself; milliseconds since the epoch. */
  readonly endedAt: number | undefined;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGWINCH'): void;
  /** What was seen within the process since it was asked last. */
  observed(): Promise<Observed>;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
}

export interface WorkerCommand {
  /** Arguments of node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Finds the worker's address in what it printed. */
  readonly address: RegExp;
}

/** Hundreds of workers are started and killed: without it most of a trial is reading the same sources again. */
const compiled = path.resolve(import.meta.dirname, '../../../.millrace/compiled');

/** Starts one and waits for its address. */
export async function startWorkerProcess({ args, env, cwd, address }: WorkerCommand): Promise<WorkerProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-observed-'));
  const report = path.join(folder, 'report.json');
  const observer = pathToFileURL(path.join(import.meta.dirname, 'observer.ts')).href;
  const child: ChildProcess = spawn(process.execPath, ['--import', observer, ...args], {
    stdio: ['ignore', 'pipe', process.env['MILLRACE_TEST_LOG'] === undefined ? 'pipe' : 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env, MILLRACE_OBSERVED: report },
  });
  endWithParent(child);
  let endedAt: number | undefined;
  const exited = (async () => {
    await once(child, 'exit');
    endedAt ??= Date.now();
  })();
  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-4_000);
    const found = address.exec(output)?.[0];
    if (found !== undefined) resolve(found);
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString('utf8')).slice(-4_000)));
  const ending = (): string => child.signalCode ?? `exit code ${child.exitCode ?? ''}`;
  void exited.then(() =>
    reject(new Error(`the worker ended before it listened, ${ending()}: ${output} ${errors}`)),
  );
  const url = await listening;
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    url,
    pid: child.pid ?? 0,
    get alive() {
      return alive() && endedAt === undefined;
    },
    get endedAt() {
      return endedAt;
    },
    signal(name) {
      if (!alive()) return;
      if (name === 'SIGKILL') endedAt ??= Date.now();
      child.kill(name);
    },
    exited,
    async observed() {
      rmSync(report, { force: true });
      child.kill('SIGUSR2');
      await until('the observer writes', () => existsSync(report) && statSync(report).size > 0);
      return JSON.parse(readFileSync(report, 'utf8')) as Observed;
    },
    async [Symbol.asyncDispose]() {
      if (alive()) child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `millrace worker` as a user starts it; what it needs is in its environment and in worker.yaml. */
export function millraceWorker(folder: string, env: Readonly<Record<string, string>>): WorkerCommand {
  const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');
  return {
    args: [main, 'worker', '--port', '0', '--config', path.join(folder, 'worker.yaml'), '--json'],
    env,
    cwd: folder,
    address: /http:\/\/127\.0\.0\.1:\d+/,
  };
}
