import type { FlowContext } from '../../../flows/context/context.ts';
import type { RunFacts } from '../../../lib/github/workflow-run/event-target.ts';

/** The facts that the runner provides, except the inputs. */
export interface RunnerFacts extends RunFacts {
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** The checked-out repository. */
  readonly workspace: string;
  /** 1, and one more each time that the workflow run is run again. */
  readonly attempt: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a running action can use. */
export interface Step {
  readonly facts: RunnerFacts;
  readonly environment: Environment;
  readonly context: FlowContext;
  /** Masks secrets in a text that leaves the process by another way than the log. */
  readonly redact: (text: string) => string;
  /** Masks a secret that the step learned, here and in all later steps of the job. */
  readonly mask: (secret: string) => void;
  /** Writes a line to the log, sanitized and with masked secrets. */
  readonly log: (text: string) => void;
  /** Writes a workflow command unchanged, with masked secrets. */
  readonly command: (line: string) => void;
  /** Saves a value at once, as output and for `post`, so that it survives a kill of this process. */
  readonly record: (name: string, value: string) => void;
}
