import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ProgramOptions, type ProgramResult, runProgram } from './run-program.ts';

/** Why this machine cannot run the check, and how to fix that. The check then ends with the exit code 2, not 0 or 1. */
export class Lacking extends Error {}

/** The docker or podman of this machine, with a compose that works. */
export interface ContainerEngine {
  readonly name: 'docker' | 'podman';
  /** Such as `podman 4.3.1, podman-compose 1.0.3`. */
  readonly description: string;
  /** Runs the engine; throws with its output unless it ends with 0. */
  run(args: readonly string[], options?: ProgramOptions): Promise<string>;
  /** The same, but returns how it ended. */
  attempt(args: readonly string[], options?: ProgramOptions): Promise<ProgramResult>;
  /** Runs compose in a folder; throws with its output unless it ends with 0. */
  compose(args: readonly string[], options: ProgramOptions & { readonly cwd: string }): Promise<string>;
}

interface Candidate {
  readonly name: ContainerEngine['name'];
  readonly composes: readonly (readonly [string, ...string[]])[];
}

const candidates: readonly Candidate[] = [
  { name: 'docker', composes: [['docker', 'compose']] },
  { name: 'podman', composes: [['podman-compose'], ['podman', 'compose']] },
];

/**
 * Finds an engine that answers, docker before podman. `folder` is for settings of podman. Throws `Lacking` with what each of
 * the two answered.
 */
export async function findEngine(folder: string, environment: NodeJS.ProcessEnv): Promise<ContainerEngine> {
  const answers: string[] = [];
  for (const { name, composes } of candidates) {
    const env = name === 'podman' ? await podmanEnvironment(folder, environment) : environment;
    const info = await runProgram(name, ['info'], { env });
    if (info.code !== 0) {
      answers.push(`${name}: ${info.code === 127 ? 'not installed' : lastLine(info.both)}`);
      continue;
    }
    for (const compose of composes) {
      const [program, ...first] = compose;
      const version = await runProgram(program, [...first, 'version'], { env });
      if (version.code === 0) return openEngine(name, compose, env);
      answers.push(
        `${compose.join(' ')}: ${version.code === 127 ? 'not installed' : lastLine(version.both)}`,
      );
    }
  }
  throw new Lacking(
    `No container engine with compose works on this machine (${answers.join('; ')}).\n` +
      'Install docker with its compose plugin and start it, or install podman and podman-compose.',
  );
}

/** How many open files podman gives a container by default; a user who may open fewer cannot start any. */
const podmanFiles = 1_048_576;

/**
 * Podman refuses to start a container where it may not set its own default limits, and containers find each other by name only
 * with netavark or a plugin. Both are settings: here they go into a file of the check.
 */
async function podmanEnvironment(folder: string, environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment['CONTAINERS_CONF'] !== undefined) return environment;
  const lines: string[] = [];
  const files = Number((await runProgram('sh', ['-c', 'ulimit -Hn'])).stdout);
  if (files > 0 && files < podmanFiles)
    lines.push('[containers]', `default_ulimits = ["nofile=${files}:${files}", "nproc=32768:32768"]`);
  if (['/usr/lib/podman', '/usr/libexec/podman'].some((place) => existsSync(path.join(place, 'netavark'))))
    lines.push('[network]', 'network_backend = "netavark"');
  if (lines.length === 0) return environment;
  const file = path.join(folder, 'containers.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { ...environment, CONTAINERS_CONF: file };
}

async function openEngine(
  name: Candidate['name'],
  compose: Candidate['composes'][number],
  env: NodeJS.ProcessEnv,
): Promise<ContainerEngine> {
  const [composeProgram, ...composeArgs] = compose;
  const versions = await Promise.all([
    runProgram(name, ['--version'], { env }),
    runProgram(composeProgram, [...composeArgs, 'version'], { env }),
  ]);
  const attempt: ContainerEngine['attempt'] = (args, options) => runProgram(name, args, { env, ...options });
  return {
    name,
    description: versions.map(({ stdout }) => numberedLine(stdout)).join(', '),
    attempt,
    run: async (args, options) => outputOf(`${name} ${args.join(' ')}`, await attempt(args, options)),
    compose: async (args, options) =>
      outputOf(
        `${compose.join(' ')} ${args.join(' ')}`,
        await runProgram(composeProgram, [...composeArgs, ...args], {
          ...options,
          env: { ...env, ...options.env },
        }),
      ),
  };
}

function outputOf(command: string, { code, stdout, both }: ProgramResult): string {
  if (code !== 0) throw new Error(`\`${command}\` ended with ${code}:\n${both.trim().slice(-4_000)}`);
  return stdout;
}

/** Of what a program says about its version, the line with its own. */
function numberedLine(text: string): string {
  const lines = text.split('\n').filter((line) => /\d+\.\d+/.test(line));
  return (lines.find((line) => line.includes('compose')) ?? lines[0] ?? '').trim();
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
