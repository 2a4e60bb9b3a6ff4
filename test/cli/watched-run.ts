import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../cli/run-cli.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { MillraceOptions } from './millrace.ts';

/** A command of this process that runs until it is stopped. */
export interface WatchedRun {
  /** Waits for a match in what was written since the last one, to stdout or stderr; fails where the command ends first. */
  next(pattern: RegExp): Promise<string>;
  /** As Ctrl-C does. Resolves to the exit code. */
  stop(): Promise<number>;
  /** What was written since the last match. */
  rest(): string;
}

export function startWatched(
  args: readonly string[],
  cwd: string,
  { env = {}, clock = systemClock }: Pick<MillraceOptions, 'env'> & { readonly clock?: Clock } = {},
): WatchedRun {
  const cancel = new AbortController();
  const output = new PassThrough();
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = runCli({
    argv: args,
    env,
    cwd,
    stdin: Readable.from([]),
    stdout: output,
    stderr: output,
    interactive: false,
    signal: cancel.signal,
    clock,
    random: Math.random,
  });
  const over = ended.then((code) => `ended with ${code}`);
  return {
    async next(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match !== null) {
          const seen = text.slice(0, match.index + match[0].length);
          text = text.slice(seen.length);
          return seen;
        }
        const end = await Promise.race([once(output, 'data').then(() => undefined), over]);
        if (end !== undefined && !pattern.test(text)) throw new Error(`${end}: ${text}`);
      }
    },
    async stop() {
      cancel.abort(new Error('SIGINT'));
      return await ended;
    },
    rest: () => text,
  };
}
