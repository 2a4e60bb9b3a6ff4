import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument } from 'commander';
import type { KnownPipelines } from '../../../flows/streaming/known-pipelines.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { Failure } from '../../../lib/core/failure.ts';
import type { Outcome } from '../../../lib/core/outcome.ts';
import { act, type AddCommand, definePlatformCommand, duration } from '../../kit/command.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { writeFileWhole } from '../../kit/write-file-whole.ts';

/** Where the ids are kept if nothing else is said. */
const usualIdsFile = 'streaming-ids.json';
const actions = ['apply', 'start', 'stop', 'status'] as const;

interface Options extends CommonOptions {
  readonly ids?: string;
  readonly wait?: boolean;
  readonly timeout: number;
  readonly dryRun?: boolean;
}

/** `millrace streaming apply | start | stop | status`: streaming pipelines, from files. */
export const addStreaming: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'streaming',
    'Create streaming pipelines from files, start and stop them, see what they do.',
  )
    .addArgument(new Argument('<action>', 'what to do').choices(actions))
    .argument('[names...]', 'files of definitions for apply, else names or ids; status without one shows all')
    .option(
      '--ids <file>',
      `where the ids of created pipelines are kept (default: ${usualIdsFile} in the project’s folder)`,
    )
    .option('--wait', 'start and stop wait until it is so')
    .option('--timeout <time>', 'how long all of it may take', duration, 600_000)
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, options, ...words) => {
        const [action = '', ...names] = words;
        if (names.length === 0 && action !== 'status') {
          throw new Failure('usage', {
            message: `streaming ${action} needs ${action === 'apply' ? 'a file' : 'a name or an id'}.`,
            where: { input: action === 'apply' ? 'FILE' : 'NAME' },
          });
        }
        const known = await knownOf(session, options.ids);
        // Read before the platform is asked for: a wrong file is told without a token.
        const definitions = action === 'apply' ? await definitionsOf(session, names) : [];
        return session.withPlatform(async (context) => {
          const deadline = context.clock.now() + options.timeout;
          if (action === 'apply') {
            const { applyStreaming } = await import('../../../flows/streaming/apply-streaming.ts');
            const report = await applyStreaming(
              { definitions, known, deadline, dryRun: options.dryRun ?? false },
              context,
            );
            session.output.result(report, report.pipelines.map(appliedLine(options.dryRun ?? false)));
            return report.outcome;
          }
          if (action === 'status')
            return showStatus(session, names, known, {
              context,
              idsFile: options.ids ?? usualIdsFile,
              deadline,
            });
          return command(session, action === 'start' ? 'start' : 'stop', names, { known, options, context });
        }, Infinity);
      }),
    );
};

async function knownOf({ directory, here }: Session, given: string | undefined): Promise<KnownPipelines> {
  const { knownPipelines } = await import('../../../flows/streaming/known-pipelines.ts');
  const name = given ?? usualIdsFile;
  const file = given === undefined ? path.join(directory, usualIdsFile) : path.resolve(here, given);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure('usage', {
      message: `The file ${name} cannot be read (${error.code ?? 'unknown'}).`,
      where: { input: '--ids' },
      cause: error,
    });
  });
  return knownPipelines(text, name, (content) => writeFileWhole(file, content));
}

async function definitionsOf(session: Session, names: readonly string[]) {
  const { readDefinition } = await import('../../../flows/streaming/read-definition.ts');
  const texts = await Promise.all(names.map((name) => readInput(session, 'FILE', name)));
  return texts.map((text, i) => readDefinition(text, names[i] ?? '-'));
}

const appliedLine =
  (dryRun: boolean) =>
  ({
    name,
    result,
    id,
    differences,
  }: {
    name: string;
    result: string;
    id?: string;
    differences: readonly string[];
  }): string => {
    if (result === 'created') return dryRun ? `${name}: would be created` : `${name}: created, ${id ?? ''}`;
    if (result === 'unchanged') return `${name}: is there as defined`;
    return `${name}: is there and differs in ${differences.join(', ')}; the API cannot change it: create another under a new name, and stop this one`;
  };

async function showStatus(
  session: Session,
  names: readonly string[],
  known: KnownPipelines,
  {
    context,
    idsFile,
    deadline,
  }: { readonly context: PlatformContext; readonly idsFile: string; readonly deadline: number },
): Promise<Outcome> {
  const { idOf, streamingStatus } = await import('../../../flows/streaming/command-streaming.ts');
  const wanted = names.length > 0 ? names : [...known.of(context.projectId).keys()];
  const pipelines = [];
  for (const pipeline of wanted) {
    const id = idOf(pipeline, known, context.projectId);
    pipelines.push({ pipeline, id, status: await streamingStatus(id, context, deadline) });
  }
  session.output.result(
    { outcome: 'passed', pipelines },
    pipelines.length === 0
      ? [`No streaming pipeline of this project is known; ids were looked for in ${idsFile}.`]
      : pipelines.map(({ pipeline, status }) => `${pipeline}: ${status}`),
  );
  return 'passed';
}

async function command(
  session: Session,
  word: 'start' | 'stop',
  names: readonly string[],
  { known, options, context }: { known: KnownPipelines; options: Options; context: PlatformContext },
): Promise<Outcome> {
  const { commandAllStreaming } = await import('../../../flows/streaming/command-streaming.ts');
  const wait = options.wait === true;
  const dryRun = options.dryRun ?? false;
  const report = await commandAllStreaming(
    { command: word, pipelines: names, known, wait, timeoutMs: options.timeout, dryRun },
    context,
  );
  session.output.result(
    report,
    report.pipelines.map(({ pipeline, id, status, timedOut, outcome: end, problem, hint }) => {
      if (dryRun) return `${pipeline}: ${end === 'already-done' ? status : `would be told to ${word}`}`;
      if (end === 'indeterminate')
        return `${pipeline}: what it does is unknown (${problem ?? ''}). Its id is ${id}. ${hint ?? ''}`;
      if (timedOut) return `${pipeline}: still ${status} when the time was up`;
      if (end === 'failed') return `${pipeline}: was started and is ${status}; look at the runner`;
      if (end === 'already-done') return `${pipeline}: ${status} already`;
      return wait ? `${pipeline}: ${status}` : `${pipeline}: told to ${word}`;
    }),
  );
  return report.outcome;
}
