import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A `git` that writes down the environment that it was started with, and does its work. */
export interface RecordingGit {
  /** To be the first on the PATH. */
  readonly folder: string;
  /** The environments of all starts so far, as `env` prints them. */
  environments(): string;
}

export function recordingGit(folder: string): RecordingGit {
  mkdirSync(folder, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const reported = path.join(folder, 'reported');
  writeFileSync(reported, '');
  const script = `#!/bin/sh\nenv >> '${reported}'\nexec '${real}' "$@"\n`;
  writeFileSync(path.join(folder, 'git'), script, { mode: 0o755 });
  return { folder, environments: () => readFileSync(reported, 'utf8') };
}
