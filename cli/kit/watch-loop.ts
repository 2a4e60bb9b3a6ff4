import { Failure } from '../../lib/core/failure.ts';
import type { ExitCode } from '../../lib/core/outcome.ts';
import { type FolderWatcher, watchFolders } from './folder-watcher.ts';
import type { Session } from './session.ts';

/** Editors write a file in several steps, and many files one after the other. */
const quietMs = 50;
const maxQuietWaits = 20;

/** What a command does again and again. */
export interface Watched<Round> {
  /** The folder that contains the watched ones. */
  readonly root: string;
  /** Runs once, and makes the watcher follow the folders that count. Returns undefined if there is nothing to show. */
  readonly run: (watcher: FolderWatcher) => Promise<Round | undefined>;
  readonly show: (round: Round) => void;
  readonly codeOf: (round: Round) => ExitCode;
}

/**
 * The loop of `--watch`: runs, then again after each change, until a signal. Returns the exit code of the last run that
 * was shown. Throws what the first run throws; later a failure is shown, and the next change may fix it.
 */
export async function watchChanges<Round>(
  session: Session,
  { root, run, show, codeOf }: Watched<Round>,
): Promise<ExitCode> {
  const { output, flow } = session;
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
      await watcher.changed(flow.signal);
      await untilQuiet(watcher, session);
    }
  } catch (error) {
    if (flow.signal.aborted && code !== undefined) return code;
    throw error;
  }
}

/** After the first run, a failure is a result. */
function laterFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  // A file was deleted after it was listed, so the next round begins at once.
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function untilQuiet(watcher: FolderWatcher, { flow: { clock, signal } }: Session): Promise<void> {
  for (let waits = 0; waits < maxQuietWaits && watcher.clear(); waits += 1)
    await clock.sleep(quietMs, signal);
}
