import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that a step writes to, and what was in them. */
export interface CommandFiles {
  /** `GITHUB_OUTPUT` and so on, to be put into the step's environment. */
  readonly environment: Readonly<Record<string, string>>;
  read(): Promise<CommandFileContents>;
}

export interface CommandFileContents {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly summary: string;
  /** What the runner would complain about: bad grammar, a summary that is too large. */
  readonly errors: readonly string[];
}

const maximumSummary = 1024 * 1024;
/** Of all outputs of a job, counted as UTF-16; a job here has one step. */
const maximumOutputs = 1024 * 1024;

/** Reads `name=value` and `name<<DELIMITER` pairs; throws where the runner would fail the step. */
export function parseKeyValues(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      found[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (heredoc < 1 || delimiter === '') throw new Error(`Invalid format '${line}'`);
    const end = lines.indexOf(delimiter, i + 1);
    if (end === -1) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    found[name] = lines.slice(i + 1, end).join('\n');
    i = end;
  }
  return found;
}

/** Makes the empty files of one step below the runner's temporary folder. */
export async function createCommandFiles(temp: string): Promise<CommandFiles> {
  const folder = await mkdtemp(join(temp, '_runner_file_commands-'));
  const names = ['output', 'state', 'env', 'path', 'step_summary'] as const;
  const path = (name: (typeof names)[number]): string => join(folder, name);
  await Promise.all(names.map((name) => writeFile(path(name), '')));
  return {
    environment: {
      GITHUB_OUTPUT: path('output'),
      GITHUB_STATE: path('state'),
      GITHUB_ENV: path('env'),
      GITHUB_PATH: path('path'),
      GITHUB_STEP_SUMMARY: path('step_summary'),
    },
    async read() {
      const errors: string[] = [];
      const pairs = async (name: (typeof names)[number]): Promise<Record<string, string>> => {
        try {
          return parseKeyValues(await readFile(path(name), 'utf8'));
        } catch (error) {
          errors.push(`Unable to process file command '${name}' successfully. ${String(error)}`);
          return {};
        }
      };
      const outputs = await pairs('output');
      const outputBytes = Object.values(outputs).reduce((sum, value) => sum + value.length * 2, 0);
      if (outputBytes > maximumOutputs)
        errors.push(`Unable to process outputs: ${String(outputBytes)} bytes`);
      const state = await pairs('state');
      const variables = await pairs('env');
      const paths = (await readFile(path('path'), 'utf8')).split(/\r?\n/u).filter((line) => line !== '');
      const { size } = await stat(path('step_summary'));
      let summary = await readFile(path('step_summary'), 'utf8');
      if (size > maximumSummary) {
        const kilobytes = String(Math.ceil(size / 1024));
        errors.push(
          `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${kilobytes}k.`,
        );
        summary = '';
      }
      await rm(folder, { recursive: true, force: true });
      return { outputs, state, variables, paths, summary, errors };
    },
  };
}
