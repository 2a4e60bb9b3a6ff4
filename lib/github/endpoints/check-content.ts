import type { Outcome } from '../../core/outcomes/outcome.ts';
import { oneLine } from '../../core/text/sanitize-text.ts';
import { shorten } from '../../core/text/shorten.ts';
import type { GitHubApi } from '../access/github-caller.ts';

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled';

/** The conclusion of a check run for each outcome. */
export const checkConclusions = {
  passed: 'success',
  'already-done': 'success',
  failed: 'failure',
  error: 'failure',
  indeterminate: 'failure',
  cancelled: 'cancelled',
  'nothing-to-do': 'neutral',
  'skipped-fork': 'neutral',
  superseded: 'neutral',
} as const satisfies Record<Outcome, CheckConclusion>;

/** Makes a check run's title acceptable to GitHub. */
export const checkTitle = (text: string): string => shorten(oneLine(text), 255) || 'Millrace';

/** A time in GitHub's form, in whole seconds. `ms`: milliseconds since 1970. */
export const checkTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z');

/** The maximum number of annotations in one request. Annotations of an update are added to the earlier ones. */
export const maxAnnotationsPerRequest = 50;

type CreateParameters = NonNullable<Parameters<GitHubApi['octokit']['rest']['checks']['create']>[0]>;

export type CheckAnnotation = NonNullable<NonNullable<CreateParameters['output']>['annotations']>[number];

/** A button of a check run. GitHub limits label, description and identifier to 20, 40 and 20 characters. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  /** Sent back in the event `check_run.requested_action`. */
  readonly identifier: string;
}

/** The content of a check run. */
export interface CheckContent {
  readonly status: 'queued' | 'in_progress' | 'completed';
  /** Given if and only if the check run is completed. */
  readonly conclusion: CheckConclusion | undefined;
  /** Milliseconds since 1970. Default: when GitHub got it. */
  readonly startedAt?: number | undefined;
  /** Milliseconds since 1970. Only for a completed check run. Default: when GitHub got it. */
  readonly completedAt?: number | undefined;
  /** Buttons, which replace the buttons of the check run; by default it keeps them. */
  readonly actions?: readonly CheckAction[];
  /** Made by `checkTitle`. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Markdown. */
  readonly text?: string;
  /** Annotations, which are added to the annotations of the check run; at most `maxAnnotationsPerRequest`. */
  readonly annotations?: readonly CheckAnnotation[];
}
