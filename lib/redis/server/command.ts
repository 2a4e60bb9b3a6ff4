import { execFile } from 'node:child_process';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly folder?: string;
}

/**
 * Runs a command without a shell. Never rejects: a command that cannot be started resolves with code 127, as in a
 * shell.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { environment, folder }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { env: environment, cwd: folder, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else resolve({ code: 127, stdout, stderr: stderr || error.message });
    });
  });
}
