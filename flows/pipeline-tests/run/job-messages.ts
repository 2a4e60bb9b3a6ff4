import type { FileProblem, PythonOptions } from '../../../engine/index.ts';
import type { WrittenRecipe } from '../files/reopen-project.ts';
import type { Reached } from './coverage.ts';
import type { EncodedResult } from './encode-result.ts';
import type { TrialEnd } from './run-until-failed.ts';
import type { TestTrace } from './traced-setting.ts';

/** The settings for a process that runs tests, as JSON data. */
export interface JobSetting {
  readonly project: WrittenRecipe;
  /** The permission for Python components. */
  readonly python?: Pick<PythonOptions, 'program' | 'environment' | 'limits'> | undefined;
  readonly packages?: string | undefined;
  /** How many tests run at the same time in the process. */
  readonly atOnce: number;
  readonly withCoverage: boolean;
  /** Whether to tell what each test reads. */
  readonly withTraces: boolean;
}

/** Tests of one file that one process runs. */
export interface JobUnit {
  readonly file: string;
  readonly tests: readonly { readonly id: number; readonly name: string }[];
}

/** Tests to run on a project with changed files, until one fails. */
export interface JobTrial {
  readonly id: number;
  readonly changed: readonly (readonly [file: string, text: string])[];
  readonly tests: readonly TestName[];
}

/** The file and the name of a test, which together identify it. */
export interface TestName {
  readonly file: string;
  readonly name: string;
}

/** A message to a process that runs tests. */
export type JobOrder =
  | { readonly kind: 'open'; readonly setting: JobSetting }
  | { readonly kind: 'run'; readonly unit: JobUnit }
  | { readonly kind: 'try'; readonly trial: JobTrial }
  /** No further work: the process ends. */
  | { readonly kind: 'end' }
  /** The user cancelled: the process ends what runs. */
  | { readonly kind: 'cancel' };

/** The result of a test that ended: its result, the errors in its files, or the end of a trial. */
export interface JobResult {
  readonly id: number;
  readonly result?: EncodedResult;
  readonly problems?: readonly FileProblem[];
  /** With coverage. */
  readonly reached?: Reached;
  /** A call resolved from another folder than the project's own. */
  readonly usesCallRoot?: true;
  /** With traces. */
  readonly trace?: TestTrace;
  /** Of a trial. */
  readonly trial?: TrialEnd;
}

/** A message from a process that runs tests. */
export type JobAnswer =
  /** The process soon has no work left. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended'; readonly ended: JobResult }
  /** The process cannot continue, for a reason that is not the fault of a test. */
  | {
      readonly kind: 'failed';
      readonly code: string | undefined;
      readonly message: string;
      readonly stack: string;
    };
