import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { EOL } from 'node:os';
import type { Environment } from './step.ts';

/** GitHub's runner gives each step files to write what it says into; what is not there is not asked for. */
export interface RunnerFiles {
  readonly output: (name: string, value: string) => void;
  /** For `post`, as `STATE_<name>`. */
  readonly state: (name: string, value: string) => void;
  readonly summary: (markdown: string) => void;
}

/** The runner's files as the environment names them. They throw what the file system throws. */
export function runnerFiles(environment: Environment): RunnerFiles {
  const append = (variable: string, text: string): void => {
    const file = environment[variable] ?? '';
    if (file !== '') appendFileSync(file, text + EOL);
  };
  return {
    output: (name, value) => append('GITHUB_OUTPUT', keyAndValue(name, value)),
    state: (name, value) => append('GITHUB_STATE', keyAndValue(name, value)),
    summary: (markdown) => append('GITHUB_STEP_SUMMARY', markdown),
  };
}

/** The value ends at a line that nobody can guess, whatever lines it holds itself. */
function keyAndValue(name: string, value: string): string {
  const delimiter = `millrace_${randomUUID()}`;
  return `${name}<<${delimiter}${EOL}${value}${EOL}${delimiter}`;
}
