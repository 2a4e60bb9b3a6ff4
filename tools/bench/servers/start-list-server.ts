import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface ListServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly projectId: string;
  /** Starts listening with these answers by path; of a `bare` one, which has no address before. */
  serve(answers: Readonly<Record<string, unknown>>): Promise<string>;
  /** Milliseconds of processor time that it has taken so far. */
  processorMs(): Promise<number>;
  /** The kernel's mark of its largest memory, in KiB. */
  peakKib(): Promise<number>;
}

/** Starts `list-server.ts` as a process of its own. */
export async function startListServer(kind: 'platform' | 'bare', data?: string): Promise<ListServer> {
  const script = path.join(import.meta.dirname, 'list-server.ts');
  const child = fork(script, data === undefined ? [kind] : [kind, data]);
  const answer = async <Answer>(): Promise<Answer> => (await once(child, 'message'))[0] as Answer;
  const ask = async <Answer>(question: object): Promise<Answer> => {
    child.send(question);
    return answer<Answer>();
  };
  const addresses = await answer<{ url: string; token: string; projectId: string }>();
  return {
    ...addresses,
    serve: async (answers) => (await ask<{ url: string }>({ answers })).url,
    processorMs: async () => (await ask<{ processorMs: number }>({})).processorMs,
    peakKib: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? Number.NaN);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(child, 'exit');
      child.kill('SIGTERM');
      await closed;
    },
  };
}
