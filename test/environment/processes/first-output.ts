import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Waits until a process has written something, and resolves to that text. Throws if the process ends without any output. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error('The output of the process is not read.');
  const ended = once(child, 'close').then((end: unknown[]) => {
    const [code, signal] = end as [number, null] | [null, string];
    throw new Error(`The process ended without any output (${signal ?? `exit code ${code}`}).`);
  });
  const [bytes] = (await Promise.race([once(stdout, 'data'), ended])) as [Buffer];
  return bytes.toString();
}
