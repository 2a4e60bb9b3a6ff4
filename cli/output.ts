import { describeFailure, Failure } from '../model/failure.ts';
import type { Logger, Progress } from '../model/ports.ts';
import type { Io } from './io.ts';
import { createLiveLine } from './live-line.ts';
import { terminalText } from './terminal-text.ts';

/** Where a command writes: results to stdout, all else to stderr. */
export interface Output {
  readonly progress: Progress;
  readonly logger: Logger;
  /** The result: as JSON with `--json`, else the lines. */
  result(report: unknown, lines: readonly string[]): void;
  /** One line on stdout whatever the form; for servers that say where they listen. */
  line(text: string): void;
  failure(failure: Failure): void;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Masks secrets by value in everything that is written. */
  readonly redact: (text: string) => string;
}

export function createOutput(io: Io, { json, verbose, redact }: OutputOptions): Output {
  const live = createLiveLine(io);
  const say = (stream: 'stdout' | 'stderr', text: string) => {
    live.clear();
    io[stream].write(`${redact(text)}\n`);
  };
  const log = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    say(
      'stderr',
      terminalText(
        `${level}${message}${verbose && fields !== undefined ? ` ${JSON.stringify(fields)}` : ''}`,
      ),
    );
  return {
    progress: { step: (sentence) => live.step(redact(sentence)) },
    logger: {
      debug: verbose ? log('') : () => {},
      info: verbose ? log('') : () => {},
      warn: log('warning: '),
      error: log('error: '),
    },
    result(report, lines) {
      say('stdout', json ? JSON.stringify(report, null, 2) : lines.map(terminalText).join('\n'));
    },
    line: (text) => say('stdout', terminalText(text)),
    failure(failure) {
      const { code, message, where, mend, details } = failure;
      if (json)
        say(
          'stdout',
          JSON.stringify({ outcome: 'error', error: { code, message, where, mend, details } }, null, 2),
        );
      else say('stderr', terminalText(`error: ${describeFailure(failure)}`));
    },
  };
}

/** Anything thrown as a failure that a person can read. */
export function asFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure) return error;
  if (signal.aborted) return new Failure('cancelled', { message: 'Cancelled.', cause: error });
  if (isStorageFault(error)) {
    return new Failure('storage-failed', {
      message: error.message,
      cause: error,
      ...(error.path === undefined ? {} : { where: { file: error.path } }),
    });
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure('internal', { message, cause: error });
}

interface StorageFault extends Error {
  readonly code: string;
  readonly path?: string;
}

function isStorageFault(error: unknown): error is StorageFault {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EPERM', 'ENOENT', 'EISDIR', 'ENOTDIR'].includes(
      String(error.code),
    )
  );
}
