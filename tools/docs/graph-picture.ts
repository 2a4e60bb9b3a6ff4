import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import process from 'node:process';
import { runCli } from '../../cli/run-cli.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';

/** What `millrace graph --format svg` prints for the example. Throws Error with what the command says if it fails. */
export async function graphPicture(root: string): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const read = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli({
    argv: ['graph', '--working-tree', '--format', 'svg'],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: path.join(root, 'examples/warehouse'),
    stdin: Readable.from([]),
    stdout,
    stderr,
    interactive: false,
    signal: new AbortController().signal,
    clock: systemClock,
    random: Math.random,
  });
  stdout.end();
  stderr.end();
  const [svg, messages] = await read;
  if (code !== 0) throw new Error(`millrace graph failed: ${messages}`);
  return svg;
}
