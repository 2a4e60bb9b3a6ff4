import type { ChangedFile } from '../../lib/git/changed-file.ts';
import type { Repository } from '../../lib/git/repository.ts';
import type { CheckId, Suppression } from '../../lib/config/review-schema.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import type { Finding, Severity } from '../../lib/core/finding.ts';
import type { BaselineEntry } from './baseline.ts';

/** The files of a change, as the caller found them. */
export interface ReviewedChange {
  readonly files: readonly ChangedFile[];
  /** Which files these are, for a person: `the files that …`. */
  readonly way: string;
  /** The commit that the change starts from, where it is known: the base of a pull request. */
  readonly from?: string | undefined;
}

/** What is to be reviewed. Paths are relative to the repository, as the platform wants them (unknowns §7). */
export interface ReviewRequest {
  readonly repository: Repository;
  /** The project's folder inside the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  readonly branch: string;
  /** The commit whose files are reviewed. */
  readonly commit: string;
  /** What `changed` is measured against: usually the base of a pull request. */
  readonly base?: string | undefined;
  /** What the change touched, where somebody knows it better than git does from `base`; it wins over `base`. */
  readonly change?: ReviewedChange | undefined;
  /** What a person calls it; the begin of the commit's id where not given. */
  readonly baseName?: string | undefined;
  readonly scope: 'changed' | 'all';
  /** These files and no others; wins over `scope`. */
  readonly files?: readonly string[] | undefined;
  /** Globs relative to the project. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[] | undefined;
  /** `.platform`, or what the deployment calls it. */
  readonly configDir: string;
  /** The runner version for the header `Agent-Version` (spec §4.5); a local review does not use it. */
  readonly agentVersion: string;
  /** Milliseconds for a review by the platform, all batches together; ten minutes where not given. */
  readonly timeoutMs?: number | undefined;
  /** The mildest severity that fails the review. */
  readonly failOn: 'error' | 'warning' | 'notice' | 'never';
  /** What is reviewed in place of the commit's files: what is staged, or the work tree. The platform cannot see it. */
  readonly snapshot?: Snapshot | undefined;
  /** File of the recorded old findings, relative to the repository; without it every finding is new. */
  readonly baseline?: string | undefined;
  /**
   * The commit whose baseline holds: on a pull request its base, so that it cannot call its own findings old. That
   * of the reviewed files where it has none, or where this is not given.
   */
  readonly policyCommit?: string | undefined;
  /** The baseline as it stands on the disk, where it is about to be replaced: then it is the one that holds. */
  readonly replacedBaseline?: Buffer | undefined;
  /** Checks of our own that are on, with their severity (docs/rules.md). */
  readonly checks?: Readonly<Partial<Record<CheckId, Severity | 'off'>>> | undefined;
  /** Project variables on the platform, names or globs, for the check `undeclared-variable`. */
  readonly variables?: readonly string[] | undefined;
  /** Glob of release tags, for the check `shared-id-changed`; `v*` where not given. */
  readonly releaseTag?: string | undefined;
  /** Findings that may stay. */
  readonly suppress?: readonly Suppression[] | undefined;
  /** `millrace.yaml`, relative to the repository: a suppression that is out of date is shown on its line. */
  readonly configFile?: string | undefined;
}

/** A finding that may stay, and why. */
export interface SuppressedFinding extends Finding {
  readonly reason: string;
}

export interface ReviewReport {
  readonly outcome: 'passed' | 'failed' | 'nothing-to-do';
  /** New ones first, then known ones, then what of the baseline is fixed; each worst first. */
  readonly findings: readonly Finding[];
  readonly reviewed: readonly string[];
  /** Files that the platform does not evaluate (spec §2.8). */
  readonly excluded: readonly string[];
  readonly counts: Readonly<Record<Finding['severity'], number>>;
  readonly branch: string;
  readonly commit: string;
  /** Who evaluated the rules. */
  readonly source: 'platform' | 'local';
  /** The platform's own word; absent in a local review. */
  readonly reviewStatus?: string;
  /** Why these files: one sentence for a person. */
  readonly scopeReason: string;
  /** Files that decide about the review (settings, rules, baseline) and that the change touched. */
  readonly policyChanges: readonly string[];
  /** What `reviewed` is of; `commit` is then the one that it stands on. */
  readonly reviewedFrom: Snapshot['kind'];
  /** What was found and may stay: it counts nowhere. */
  readonly suppressed: readonly SuppressedFinding[];
  /** How many findings are known at any count, because an older version recorded the baseline. */
  readonly uncounted: number;
  /** The findings to record as known, if somebody asks for it. */
  readonly nextBaseline: readonly BaselineEntry[];
}
