import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { firstOutput } from '../../../test/environment/processes/first-output.ts';

/** Starts `bench-server.ts` as a process of its own. */
export async function startBenchServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bench-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstOutput(child);
  return {
    url: url.trim(),
    [Symbol.asyncDispose]: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}
