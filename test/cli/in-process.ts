import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../cli/run-cli.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { checkResult } from './check-result.ts';
import type { Ended, MillraceOptions } from './millrace.ts';

/**
 * Runs the command in this process: all but cli/main.ts, for tests that walk many commands. What it prints with `--json`
 * must fit its JSON Schema.
 */
export async function inProcess(
  args: readonly string[],
  options: MillraceOptions & { readonly clock?: Clock } = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const read = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli({
    argv: args,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    stdin: Readable.from([options.input ?? '']),
    stdout,
    stderr,
    interactive: false,
    signal: new AbortController().signal,
    clock: options.clock ?? systemClock,
    random: Math.random,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await read;
  checkResult(args, out);
  return { code, stdout: out, stderr: err };
}
