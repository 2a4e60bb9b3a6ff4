import type { Gates, Verification } from './configured.ts';

/** A lane as a promotion goes through it: settled when the push was taken in, so that no later push changes it. */
export interface LanePlan {
  /** Name of the lane in millrace.yaml. */
  readonly name: string;
  /** Unique among all lanes: repository id, project and name. */
  readonly id: string;
  readonly project: string;
  /** Folder of the project in its repository; absent at the root. */
  readonly directory?: string;
  /** Name of a credential of worker.yaml. */
  readonly credential: string;
  readonly from: string;
  readonly to: string;
  readonly policy: 'latest' | 'every' | 'cancel';
  readonly verify: readonly Verification[];
  readonly onFailure: 'rollback' | 'hold';
  readonly gates: Gates;
  /** When the tag is busy; absent in plans of older workers: `wait`. */
  readonly onConflict?: 'wait' | 'fail' | 'skip';
  /** Milliseconds. */
  readonly limits?: {
    readonly queue?: number | undefined;
    readonly step?: number | undefined;
    readonly promotion?: number | undefined;
  };
  /** The lanes that take on what this one has verified. */
  readonly next: readonly LanePlan[];
}

/** Which version a promotion promotes: one that is known, or one that is looked up when its turn comes. */
export type VersionChoice =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'latest' };

/** Who pushed: their login at that time, and GitHub's id of them. */
export interface Pusher {
  readonly login: string;
  readonly id: number | undefined;
}

/** What a promotion is to do, and for which push. */
export interface PromotionPlan {
  readonly repository: { readonly id: number; readonly fullName: string };
  readonly ref: string;
  readonly commit: string;
  /** GitHub's id of the delivery that it began with. */
  readonly delivery: string;
  /** The trace that it belongs to (W3C `traceparent`); absent where nothing records spans. */
  readonly trace?: string;
  /** Who pushed; absent where nobody knows (a push that was found by comparing heads). */
  readonly pusher?: Pusher;
  /** The promotion that this one tries again, and who wanted it. */
  readonly retry?: { readonly of: string; readonly by: string };
  readonly version: VersionChoice;
  readonly lane: LanePlan;
}

/** What GitHub calls a lane: two projects of a repository may have lanes of one name. */
export function reportName({ directory, name }: Pick<LanePlan, 'directory' | 'name'>): string {
  return directory === undefined ? `millrace/${name}` : `millrace/${directory}/${name}`;
}
