import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the main thread of a process was ready and had no core, since its start: how busy the machine is
 * with other things. 0 where the system does not say.
 */
export function waitedForCore(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
