import { Failure } from '../../lib/core/errors/failure.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { ExitCode } from '../../lib/core/outcomes/outcome.ts';
import { type FolderWatcher, watchFolders } from './folder-watcher.ts';
import type { Session } from '../kit/session.ts';

/** Editors write a file in several steps, and many files one after the other. */
const quietMs = 50;
const maxQuietWaits = 20;

/** The work that a command repeats with `--watch`. */
export interface Watched<Round> {
  /** The folder that contains the watched ones. */
  readonly root: string;
  /** Runs once, and makes the watcher follow the folders that count. Returns undefined if there is nothing to show. */
  readonly run: (watcher: FolderWatcher) => Promise<Round | undefined>;
  readonly show: (round: Round) => void;
  readonly codeOf: (round: Round) => ExitCode;
}

/**
 * The loop of `--watch`: does the work, and again after each change. It ends with a signal, or when the reader of
 * the output is gone (`--watch | head -1`), which the next output notices. Returns the exit code of the last result
 * that was shown. Throws what the first run throws; a later failure is only shown, because the next change may fix
 * it.
 */
export async function watchChanges<Round>(
  session: Session,
  { root, run, show, codeOf }: Watched<Round>,
): Promise<ExitCode> {
  const { output, flow } = session;
  const gone = new AbortController();
  const onGone = (): void => gone.abort(new Error('the reader of the output has gone'));
  const { stdout } = session.io;
  for (const event of ['error', 'close']) stdout.once(event, onGone);
  const signal = AbortSignal.any([flow.signal, gone.signal]);
  let code: ExitCode | undefined;
  try {
    using watcher = watchFolders(root);
    for (;;) {
      watcher.clear();
      const ended = await run(watcher).catch((error: unknown) =>
        code === undefined ? Promise.reject(error) : laterFailure(error),
      );
      if (ended !== undefined) {
        code = ended instanceof Failure ? ended.exitCode : codeOf(ended);
        if (ended instanceof Failure) output.failure(ended);
        else show(ended);
        output.progress.step('Waiting for changes. Press Ctrl-C to stop.');
      }
      await watcher.changed(signal);
      await untilQuiet(watcher, flow.clock, signal);
    }
  } catch (error) {
    if (signal.aborted && code !== undefined) return code;
    throw error;
  } finally {
    for (const event of ['error', 'close']) stdout.removeListener(event, onGone);
  }
}

/** After the first run, a failure is a result. */
function laterFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  // A file was deleted after it was listed, so the next round begins at once.
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function untilQuiet(watcher: FolderWatcher, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let waits = 0; waits < maxQuietWaits && watcher.clear(); waits += 1)
    await clock.sleep(quietMs, signal);
}
