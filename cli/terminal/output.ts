import { describeFailure, type Failure } from '../../lib/core/errors/failure.ts';
import type { Logger, Progress } from '../../lib/core/ports/ports.ts';
import type { Io } from './io.ts';
import { withProgramName } from './program-name.ts';
import { jsonLines } from './json-lines.ts';
import { terminalText } from './terminal-text.ts';

/** A wrapped line cannot be removed again. Terminals with fewer columns are rare. */
const width = 79;

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Output {
  readonly progress: Progress;
  readonly logger: Logger;
  /**
   * Writes the result: as JSON with `--json`, otherwise the lines. A line break inside a line becomes a space. `paint` adds
   * colours after the line was sanitized.
   */
  result(report: unknown, lines: readonly string[], paint?: (line: string) => string): void;
  /** Writes to stderr; with `--json` to stdout, because the caller reads JSON there. */
  failure(failure: Failure): void;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Masks secrets in all output. */
  readonly redact: (text: string) => string;
}

export function createOutput(io: Io, { json, verbose, redact }: OutputOptions): Output {
  const live = createLiveLine(io);
  const write = (stream: 'stdout' | 'stderr', lines: readonly string[]) => {
    live.clear();
    io[stream].write(lines.map((line) => `${redact(line)}\n`).join(''));
  };
  // Foreign text is escaped in the way of JSON, so that the value stays the same.
  const writeJson = (value: unknown) => write('stdout', jsonLines(value).map(terminalText));
  const log = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    write('stderr', [
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
      if (json) writeJson(report);
      else write('stdout', lines.map(terminalLine).map(paint));
    },
    failure(failure) {
      const { code, message, where, hint, details, cause } = failure;
      if (json) writeJson({ outcome: outcomeOf(failure), error: { code, message, where, hint, details } });
      else {
        const text = withProgramName(describeFailure(failure), io);
        write('stderr', [terminalText(`error: ${indented(text)}`)]);
      }
      // A stack trace helps to fix a defect of Millrace. It does not help a user to correct a mistake.
      if (verbose && code === 'internal' && cause instanceof Error)
        write('stderr', [terminalText(cause.stack ?? '')]);
    },
  };
}

/** Indents the lines after the first, so that foreign text stays visibly inside its error. */
function indented(text: string): string {
  return text.replaceAll(/\n(?! {2})/g, '\n  ');
}

/** The outcome of a failure (lib/core/outcomes/outcome.ts). */
function outcomeOf({ code }: Failure): 'cancelled' | 'indeterminate' | 'error' {
  if (code === 'cancelled') return 'cancelled';
  return code === 'outcome-unknown' ? 'indeterminate' : 'error';
}

/** Progress on stderr: on a terminal one line that is updated in place, otherwise one plain line per sentence. */
interface LiveLine extends Progress {
  /** Removes the live line before other output is written. */
  clear(): void;
}

function createLiveLine({ stderr, interactive }: Pick<Io, 'stderr' | 'interactive'>): LiveLine {
  let shown = '';
  return {
    step(sentence) {
      const text = terminalText(sentence).replaceAll(/\s+/g, ' ');
      if (text === shown) return;
      stderr.write(interactive ? `\r\u001b[K${text.slice(0, width)}` : `${text}\n`);
      shown = text;
    },
    clear() {
      if (interactive && shown !== '') stderr.write('\r\u001b[K');
      shown = '';
    },
  };
}

/** Sanitizes text that must be one line: a line break in a foreign name must not look like a message of ours. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll(/\s*\n\s*/g, ' ');
}
