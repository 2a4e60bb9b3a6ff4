import type { Repository } from '../../git/repository.ts';
import type { Finding } from '../../model/finding.ts';

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
  /** The mildest severity that fails the review. */
  readonly failOn: 'error' | 'warning' | 'notice' | 'never';
}

export interface ReviewReport {
  readonly outcome: 'passed' | 'failed' | 'nothing-to-do';
  /** Worst first. */
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
}
