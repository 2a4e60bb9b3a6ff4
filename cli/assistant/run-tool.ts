import { Readable, Writable } from 'node:stream';
import type { ExitCode } from '../../lib/core/outcomes/outcome.ts';
import type { Io } from '../terminal/io.ts';
import { withProgramName } from '../terminal/program-name.ts';
import { boundedJson } from './bounded-json.ts';

/** What a tool answers. `isError` is true if the command failed, so that the text is an error message. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a command line and returns its exit code, as the program does. */
export type RunCommand = (io: Io) => Promise<ExitCode>;

/** Maximum length of an answer in characters, so that the context of an assistant has space for its other work. */
const maxCharacters = 100_000;

/** Runs a command line with `--json`. Returns its result, or its error as text with `isError`. */
export async function runTool(io: Io, run: RunCommand, commandLine: readonly string[]): Promise<ToolAnswer> {
  const [command = '', ...rest] = commandLine;
  const stdout = collector();
  const code = await run({
    ...io,
    argv: [command, '--json', ...rest],
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: collector().stream,
    interactive: false,
  });
  const result = parsed(stdout.text());
  if (result === undefined) {
    const text = `The command ended with exit code ${code}, without a result.\n  how to fix: Run \`millrace ${command}\` in a terminal to see why.`;
    return { text: withProgramName(text, io), isError: true };
  }
  const { error } = result as { error?: CommandError };
  if (error !== undefined) return { text: withProgramName(describeError(error), io), isError: true };
  return { text: boundedJson(result, maxCharacters), isError: false };
}

interface CommandError {
  readonly code: string;
  readonly message: string;
  readonly where?: {
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly input?: string;
  };
  readonly hint: string;
}

/** As in a terminal: what failed and where, how to fix it, and the code. */
function describeError({ code, message, where = {}, hint }: CommandError): string {
  const { file, line, column, input } = where;
  const place =
    file === undefined ? input : [file, line, column].filter((part) => part !== undefined).join(':');
  const start = place === undefined || place === '' ? '' : `${place}: `;
  return `${start}${message.slice(0, maxCharacters)}\n  how to fix: ${hint}\n  code: ${code}`;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
