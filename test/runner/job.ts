import { type AnnotationCollector, collectAnnotations } from './annotations.ts';
import { createCommandFiles, type CommandFileContents } from './command-files.ts';
import { createMasks } from './masks.ts';
import { type CancelTimes, runStepProcess } from './step-process.ts';
import { parseCommand } from './workflow-command.ts';

/** What all processes of one run share: streams, masks, annotations, summary. */
export interface Job {
  readonly collector: AnnotationCollector;
  readonly log: string[];
  /** The lines before masks, `add-mask` commands left out: what a reader would see without masks. */
  readonly raw: string[];
  readonly summaries: string[];
  readonly errors: string[];
  /** Variables and paths that steps added for those after them. */
  readonly added: { variables: Record<string, string>; paths: string[] };
  mask(text: string): string;
  run(process: JobProcess): Promise<JobProcessResult>;
}

export interface JobProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the process of earlier steps may run the script. */
  readonly isShared?: boolean;
}

export interface JobProcessResult extends CommandFileContents {
  readonly exitCode: number;
}

export interface JobOptions {
  readonly workspace: string;
  readonly temp: string;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  readonly cancelTimes: CancelTimes;
  readonly onLine: ((line: string) => void) | undefined;
}

export function createJob({ workspace, temp, secrets, signal, cancelTimes, onLine }: JobOptions): Job {
  const masks = createMasks();
  for (const secret of secrets) masks.add(secret);
  const mask = (text: string): string => masks.apply(text);
  const collector = collectAnnotations(workspace, mask);
  const job: Job = {
    collector,
    mask,
    log: [],
    raw: [],
    summaries: [],
    errors: [],
    added: { variables: {}, paths: [] },
    async run(step) {
      const files = await createCommandFiles(temp);
      const oldOutputs: Record<string, string> = {};
      let stopped: string | undefined;
      const exitCode = await runStepProcess({
        ...step,
        env: { ...step.env, ...files.environment },
        // What starts after the cancellation is not cancelled again: `post`, and steps whose condition asks for it.
        signal: signal.aborted ? new AbortController().signal : signal,
        cancelTimes,
        onLine(line) {
          const command = parseCommand(line);
          if (stopped !== undefined) {
            if (line.trim() === `::${stopped}::`) stopped = undefined;
          } else if (command?.name === 'stop-commands') stopped = command.message;
          else if (command?.name === 'add-mask') {
            masks.add(command.message);
            return;
          } else if (command?.name === 'set-output')
            oldOutputs[command.properties['name'] ?? ''] = command.message;
          else if (command !== undefined) collector.add(command);
          job.raw.push(line);
          job.log.push(mask(line));
          onLine?.(mask(line));
        },
      });
      const contents = await files.read();
      job.errors.push(...contents.errors);
      Object.assign(job.added.variables, contents.variables);
      job.added.paths.unshift(...contents.paths);
      job.raw.push(contents.summary, ...Object.values(contents.outputs));
      if (contents.summary !== '') job.summaries.push(mask(contents.summary));
      const outputs = { ...oldOutputs, ...contents.outputs };
      // A command file that cannot be read fails the step; a summary that is too large does not.
      const broken = contents.errors.some((error) => error.startsWith('Unable to process'));
      return { ...contents, outputs, exitCode: broken && exitCode === 0 ? 1 : exitCode };
    },
  };
  return job;
}
