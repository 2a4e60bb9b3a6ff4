import { describeFailure, type Failure } from '../../lib/core/failure.ts';
import type { Logger, Progress } from '../../lib/core/ports.ts';
import type { Io } from './io.ts';
import { jsonLines } from './json-lines.ts';
import { createLiveLine } from './live-line.ts';
import { terminalLine } from './terminal-line.ts';
import { terminalText } from './terminal-text.ts';

/** Where a command writes: results to stdout, all else to stderr. */
export interface Output {
  readonly progress: Progress;
  readonly logger: Logger;
  /**
   * The result: as JSON with `--json`, else the lines; a line break inside a line is made visible. `paint` may colour
   * what has been made harmless.
   */
  result(report: unknown, lines: readonly string[], paint?: (line: string) => string): void;
  /** On stderr; with `--json` on stdout, because then it is what the caller reads. */
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
  const say = (stream: 'stdout' | 'stderr', lines: readonly string[]) => {
    live.clear();
    io[stream].write(lines.map((line) => `${redact(line)}\n`).join(''));
  };
  // Foreign text inside is escaped as JSON escapes it, so that it stays the same value.
  const sayJson = (value: unknown) => say('stdout', jsonLines(value).map(terminalText));
  const log = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    say('stderr', [
      terminalLine(
        `${level}${message}${verbose && fields !== undefined ? ` ${JSON.stringify(fields)}` : ''}`,
      ),
    ]);
  return {
    progress: { step: (sentence) => live.step(redact(sentence)) },
    logger: {
      debug: verbose ? log('') : () => {},
      info: verbose ? log('') : () => {},
      warn: log('warning: '),
      error: log('error: '),
    },
    result(report, lines, paint = (line) => line) {
      if (json) sayJson(report);
      else say('stdout', lines.map(terminalLine).map(paint));
    },
    failure(failure) {
      const { code, message, where, hint, details, cause } = failure;
      if (json) sayJson({ outcome: outcomeOf(failure), error: { code, message, where, hint, details } });
      else say('stderr', [terminalText(`error: ${indented(describeFailure(failure))}`)]);
      // The stack of our own fault helps whoever mends it; that of a user's mistake helps nobody.
      if (verbose && code === 'internal' && cause instanceof Error)
        say('stderr', [terminalText(cause.stack ?? '')]);
    },
  };
}

/** Foreign text of several lines stays visibly inside its error. */
function indented(text: string): string {
  return text.replaceAll(/\n(?! {2})/g, '\n  ');
}

/** The word of the outcome that a failure is (lib/core/outcome.ts). */
function outcomeOf({ code }: Failure): 'cancelled' | 'indeterminate' | 'error' {
  if (code === 'cancelled') return 'cancelled';
  return code === 'outcome-unknown' ? 'indeterminate' : 'error';
}
