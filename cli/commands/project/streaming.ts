import path from 'node:path';
import { Argument, Option } from 'commander';
import type { StreamingState } from '../../../flows/streaming/command-streaming.ts';
import type { KnownPipelines } from '../../../flows/streaming/known-pipelines.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { readTextFile } from '../../../lib/core/files/read-text-file.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import {
  commandAction,
  type AddCommand,
  definePlatformCommand,
  parseDurationOption,
} from '../../kit/command.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { writeFileAtomically } from '../../kit/write-file-atomically.ts';
import { withProgramName } from '../../terminal/program-name.ts';

const defaultIdsFile = 'streaming-ids.json';
const actions = ['apply', 'start', 'stop', 'status'] as const;

interface Options extends CommonOptions {
  readonly ids?: string;
  readonly wait?: boolean;
  readonly timeout: number;
  readonly dryRun?: boolean;
}

/** `millrace streaming apply | start | stop | status`: manages streaming pipelines that are defined in files. */
export const addStreaming: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'streaming',
    'Create streaming pipelines from files; start, stop and show them.',
  )
    .addArgument(new Argument('<action>', 'action').choices(actions))
    .argument(
      '[names...]',
      'for apply: definition files; otherwise: names or ids (status without a name shows all)',
    )
    .option(
      '--ids <file>',
      `file with the ids of the created pipelines (default: ${defaultIdsFile} in the project’s folder)`,
    )
    .option('--wait', 'for start and stop: wait until the pipelines have started or stopped')
    .addOption(
      new Option('--timeout <time>', 'time limit for the whole command')
        .argParser(parseDurationOption)
        .default(600_000, '10m'),
    )
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, options, ...words) => {
        const [action = '', ...names] = words;
        if (names.length === 0 && action !== 'status') {
          throw new Failure('usage', {
            message: `streaming ${action} needs ${action === 'apply' ? 'a file' : 'a name or an id'}.`,
            hint: 'For example `millrace streaming apply orders.yaml` or `millrace streaming start orders`.',
            where: { input: action === 'apply' ? 'FILE' : 'NAME' },
          });
        }
        const knownPipelines = await knownOf(session, options.ids);
        // The files are read first, so that their errors are reported even without a token.
        const definitions = action === 'apply' ? await definitionsOf(session, names) : [];
        return session.withPlatform(async (context) => {
          const deadline = context.clock.now() + options.timeout;
          if (action === 'apply') {
            const { applyStreaming } = await import('../../../flows/streaming/apply-streaming.ts');
            const report = await applyStreaming(
              { definitions, known: knownPipelines, deadline, dryRun: options.dryRun ?? false },
              context,
            );
            session.output.result(report, report.pipelines.map(appliedLine(options.dryRun ?? false)));
            return report.outcome;
          }
          if (action === 'status')
            return showStatus(session, names, knownPipelines, {
              context,
              idsFile: options.ids ?? defaultIdsFile,
              deadline,
            });
          return command(session, action === 'start' ? 'start' : 'stop', names, {
            known: knownPipelines,
            options,
            context,
          });
        }, Infinity);
      }),
    );
};

async function knownOf({ directory, here }: Session, idsOption: string | undefined): Promise<KnownPipelines> {
  const { knownPipelines } = await import('../../../flows/streaming/known-pipelines.ts');
  const name = idsOption ?? defaultIdsFile;
  const file = idsOption === undefined ? path.join(directory, defaultIdsFile) : path.resolve(here, idsOption);
  const text = await readTextFile(file, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error instanceof Failure) throw error;
    throw new Failure('usage', {
      message: `The file ${name}, which holds the ids of the created streaming pipelines, cannot be read (${error.code ?? 'unknown'}).`,
      where: { input: '--ids' },
      hint: `Check that ${name} is a file, and that you have permission to read it. Or name another file with --ids.`,
      cause: error,
    });
  });
  return knownPipelines(text, name, (content) => writeFileAtomically(file, content));
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
    if (result === 'unchanged') return `${name}: exists as defined`;
    return `${name}: exists, but differs in ${differences.join(', ')}. The API cannot change it. Create a pipeline with a new name, and stop this one.`;
  };

async function showStatus(
  session: Session,
  names: readonly string[],
  knownPipelines: KnownPipelines,
  {
    context,
    idsFile,
    deadline,
  }: { readonly context: PlatformContext; readonly idsFile: string; readonly deadline: number },
): Promise<Outcome> {
  const [{ idOf, streamingState }, { NotFound }] = await Promise.all([
    import('../../../flows/streaming/command-streaming.ts'),
    import('../../../client/index.ts'),
  ]);
  const chosen = names.length > 0 ? names : [...knownPipelines.of(context.projectId).keys()];
  const pipelines = [];
  for (const pipeline of chosen) {
    const id = idOf(pipeline, knownPipelines, context.projectId);
    try {
      pipelines.push({ pipeline, id, ...(await streamingState(id, context, deadline)) });
    } catch (error) {
      // One that was deleted must not hide the others. A person who names it gets the error.
      if (names.length > 0 || !(error instanceof NotFound)) throw error;
      const reason = `the platform has no streaming pipeline with the id ${id}. If it was deleted, remove it from ${idsFile}.`;
      pipelines.push({ pipeline, id, status: 'unknown', reason });
    }
  }
  session.output.result(
    { outcome: 'passed', pipelines },
    pipelines.length === 0
      ? [`This project has no streaming pipelines yet: ${idsFile} lists none.`]
      : pipelines.map(({ pipeline, ...state }) => `${pipeline}: ${stateText(state)}`),
  );
  return 'passed';
}

/** The status with what the platform says beside it. */
function stateText({
  status,
  simulated,
  reason,
  lag,
  warning,
}: Partial<StreamingState> & Pick<StreamingState, 'status'>): string {
  const behind =
    lag === undefined
      ? ''
      : `, ${numberOf(Math.round(lag.seconds), 'second')} and ${numberOf(lag.bytes, 'byte')} behind`;
  const mark = simulated === true ? ' (simulated: nothing is captured)' : '';
  const more = [reason, warning === undefined ? undefined : `Warning: ${warning}`].filter(
    (sentence) => sentence !== undefined,
  );
  return `${status}${behind}${mark}${more.length === 0 ? '' : `: ${more.join(' ')}`}`;
}

async function command(
  session: Session,
  word: 'start' | 'stop',
  names: readonly string[],
  {
    known: knownPipelines,
    options,
    context,
  }: { known: KnownPipelines; options: Options; context: PlatformContext },
): Promise<Outcome> {
  const { commandStreaming } = await import('../../../flows/streaming/command-streaming.ts');
  const wait = options.wait === true;
  const dryRun = options.dryRun ?? false;
  const report = await commandStreaming(
    { command: word, pipelines: names, known: knownPipelines, wait, timeoutMs: options.timeout, dryRun },
    context,
  );
  session.output.result(
    report,
    report.pipelines.map(({ pipeline, id, timedOut, outcome: end, problem, hint, ...state }) => {
      const { status, reason } = state;
      if (dryRun) return `${pipeline}: ${end === 'already-done' ? stateText(state) : `would ${word}`}`;
      if (end === 'indeterminate')
        return `${pipeline}: unknown status (${problem ?? ''}). The id is ${id}. ${hint ?? ''}`;
      if (timedOut)
        return withProgramName(
          `${pipeline}: the time limit has passed, and its status is ${stateText(state)}. See \`millrace streaming status ${pipeline}\`.`,
          session.io,
        );
      if (end === 'failed')
        return `${pipeline}: started, but its status is ${status}. ${reason ?? 'Check the runner.'}`;
      if (end === 'already-done') return `${pipeline}: already ${stateText(state)}`;
      return wait ? `${pipeline}: ${stateText(state)}` : `${pipeline}: ${word} requested`;
    }),
  );
  return report.outcome;
}
