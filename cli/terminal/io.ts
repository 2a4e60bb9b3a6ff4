import type { Readable, Writable } from 'node:stream';
import type { Clock, Random } from '../../lib/core/ports.ts';

/** The world of one command: all that it may read and write. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** A person watches: one live line instead of many, and colours. */
  readonly interactive: boolean;
  /** Aborts on Ctrl-C and on the end that a supervisor asks for. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}
