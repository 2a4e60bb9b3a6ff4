import type { Readable, Writable } from 'node:stream';
import type { Clock, Random } from '../../lib/core/ports/ports.ts';

/** Everything outside the process that one command may read and write. */
export interface Io {
  readonly argv: readonly string[];
  /** The path of the program, as it was called. */
  readonly script?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** stderr is a terminal: progress is one line that is updated in place. */
  readonly interactive: boolean;
  /** Aborts on SIGINT (Ctrl-C) and on SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls the listener on each SIGHUP, which then no longer ends the process. */
  readonly onHangUp?: (listener: () => void) => void;
  readonly clock: Clock;
  readonly random: Random;
}
