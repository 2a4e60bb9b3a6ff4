import type { FlowContext } from '../../flows/index.ts';
import type { RunFacts } from '../../lib/github/event-target.ts';

/** What the runner says, beside the inputs. */
export interface RunnerFacts extends RunFacts {
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** The checked-out repository. */
  readonly workspace: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a running action has at hand. */
export interface Step {
  readonly facts: RunnerFacts;
  readonly environment: Environment;
  readonly context: FlowContext;
  /** Takes secrets out of a text that leaves the process in another way than by the log. */
  readonly redact: (text: string) => string;
  /** Writes a line to the log, made harmless and without secrets. */
  readonly log: (text: string) => void;
  /** Writes a workflow command as it is, without secrets. */
  readonly command: (line: string) => void;
  /** Keeps a fact at once, as output and for `post`: it is there even if this process is killed. */
  readonly record: (name: string, value: string) => void;
}
