import { execFile } from 'node:child_process';
import process from 'node:process';

/** What a process used. */
export interface Usage {
  readonly wallMs: number;
  /** User and system time of all threads, and of the processes of Node that it started: others of the machine change it little. */
  readonly cpuMs: number;
  /** Of the process that took most. */
  readonly peakMiB: number;
}

/** Reports the processor time of a process in milliseconds and its peak memory in KiB when it ends. */
const reportUsage = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.stderr.write('used ' + (userCPUTime + systemCPUTime) / 1000 + ' ' + maxRSS + '\\n');
  });
`)}`;

/**
 * Runs a program of Node to its end. Throws if its exit code is not one of those expected: a failed run must not be measured.
 */
export async function usageOf(
  args: readonly string[],
  cwd: string,
  expected: readonly number[] = [0],
): Promise<Usage> {
  const begin = performance.now();
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number; readonly stderr: string }>();
  const child = execFile(
    process.execPath,
    ['--', ...args],
    { cwd, maxBuffer: 256 * 1024 ** 2, env: { ...process.env, NODE_OPTIONS: `--import=${reportUsage}` } },
    (error, stdout, stderr) => {
      const code = error === null ? 0 : (child.exitCode ?? -1);
      resolve({ code, stderr: error === null ? stderr : `${stdout.slice(-2000)}\n${stderr}` });
    },
  );
  const { code, stderr } = await promise;
  if (!expected.includes(code))
    throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.slice(-4000)}`);
  const wallMs = performance.now() - begin;
  const used = [...stderr.matchAll(/^used (\S+) (\d+)$/gm)];
  const cpuMs = used.reduce((sum, [, cpu]) => sum + Number(cpu), 0);
  return { wallMs, cpuMs, peakMiB: Math.max(...used.map(([, , peak]) => Number(peak))) / 1024 };
}
