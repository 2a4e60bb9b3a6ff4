import { spawn } from 'node:child_process';
import process from 'node:process';

/** What a program printed, and how it ended. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error in the order in which they came. */
  readonly both: string;
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** In milliseconds; the program is killed after it. */
  readonly timeout?: number;
}

/** Runs a program without a shell. A program that is missing or takes too long has the code 127 or 124. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env = process.env, cwd, timeout = 60_000 }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let both = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      both += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (both += text));
    child.once('error', (error) => resolve({ code: 127, stdout, both: `${both}${error.message}` }));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? (signal === 'SIGKILL' ? 124 : 1), stdout, both }),
    );
  });
}
