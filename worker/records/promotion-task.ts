import type { Via } from './audit-entry.ts';
import type { Gates, Verification, VersionRule } from './configured.ts';

type AddedGate = 'checks' | 'evidence' | 'windows' | 'authorsMayApprove';

/**
 * A lane in the form in which a promotion passes through it. It is fixed when the push is ingested, so that later
 * pushes cannot change it.
 */
export interface PromotionLane {
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
  /** Absent in tasks of older workers: all versions, in the order `auto`. */
  readonly versions?: VersionRule;
  readonly verify: readonly Verification[];
  readonly onFailure: 'rollback' | 'hold';
  /** Tasks of older workers lack the optional ones. */
  readonly gates: Omit<Gates, AddedGate> & Partial<Pick<Gates, AddedGate>>;
  /** Policy for a busy tag; absent in tasks of older workers: `wait`. */
  readonly onConflict?: 'wait' | 'fail' | 'skip';
  /** Milliseconds. */
  readonly limits?: {
    readonly queue?: number | undefined;
    readonly step?: number | undefined;
    readonly promotion?: number | undefined;
  };
  /** The lanes that follow with the verified version. */
  readonly next: readonly PromotionLane[];
}

/** Which version a promotion promotes: a named one, or one that is found when the promotion starts. */
export type VersionChoice =
  /** `commit`: its artifact's; absent if millrace.yaml names a version, whose commit must be on an allowed branch. */
  | { readonly kind: 'named'; readonly name: string; readonly commit?: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'latest' };

/** The person who pushed: the login at that time, and GitHub's id. */
export interface Pusher {
  readonly login: string;
  readonly id: number | undefined;
}

/** The authors of the commits since the lane's verified version, as GitHub lists them. */
export interface AuthorsRead {
  /** The commit of the verified version. */
  readonly from: string;
  readonly people: readonly { readonly login: string; readonly id: number }[];
  /** False if there are other authors, whom GitHub did not list or name. */
  readonly isComplete: boolean;
}

/** What a promotion must do, and the push that caused it. */
export interface PromotionTask {
  readonly repository: { readonly id: number; readonly fullName: string };
  readonly ref: string;
  readonly commit: string;
  /**
   * When the commit was made, as its author says, or, if the push did not say it, when the push was received; in
   * milliseconds since the epoch. Absent in tasks of older workers.
   */
  readonly committedAt?: number;
  /** GitHub's id of the delivery that started it. */
  readonly delivery: string;
  /** The trace that it belongs to (W3C `traceparent`); absent if no spans are recorded. */
  readonly trace?: string;
  /** Who pushed; absent if unknown (a push found by comparing heads). */
  readonly pusher?: Pusher;
  /** Others who pushed the same commit to the same ref, or commits before it that the lane has not verified. */
  readonly otherPushers?: readonly Pusher[];
  /** GitHub logins of the authors and committers of the pushed commits, as far as the event names them. */
  readonly authors?: readonly string[];
  /** GitHub's ids of these authors, by login, as far as they are known: a login can change later. */
  readonly authorIds?: Readonly<Record<string, number>>;
  /** Whether one of these wrote the pushed commits, and not only commits before them; absent: if there is one. */
  readonly areAuthorsKnown?: boolean;
  /** Whether others than these may have written commits since the verified version: neither the event nor GitHub listed all. */
  readonly mayHaveOtherAuthors?: boolean;
  /** The commit since which GitHub listed the authors: the commit of the lane's verified version. Absent if it did not. */
  readonly authorsReadFrom?: string;
  /** The promotion that this one retries, and who asked for it. */
  readonly retry?: { readonly of: string; readonly by: string };
  /**
   * An operator wants exactly this version live now, forward or back: it is enabled if it is disabled in the target,
   * and newer versions are disabled. `overrides`: the rule of the lane's `versions` that leaves the version out.
   */
  readonly request?: {
    readonly by: string;
    readonly via: Via;
    /** GitHub's id of the person, if they acted with a GitHub account. */
    readonly githubId?: number | undefined;
    readonly reason: string;
    readonly overrides?: string;
  };
  readonly version: VersionChoice;
  readonly lane: PromotionLane;
}

/**
 * The name under which GitHub shows a lane. For a project in a folder it contains the folder, because two projects
 * of a repository may have lanes with the same name.
 */
export function reportName({ directory, name }: Pick<PromotionLane, 'directory' | 'name'>): string {
  return directory === undefined ? `millrace/${name}` : `millrace/${directory}/${name}`;
}
