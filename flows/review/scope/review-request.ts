import type { ChangedFile } from '../../../lib/git/objects/changed-file.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import type { CheckId, PathOverride, Suppression } from '../../../lib/config/project/review-schema.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import type { Finding, Severity } from '../../../lib/core/outcomes/finding.ts';
import type { CallFolder, FoundRoot } from '../../../lib/pipelines/model/call-root.ts';
import type { BaselineEntry } from '../../findings/baseline.ts';
import type { SuppressedFinding } from '../../findings/suppressed-finding.ts';

/** The files of a change, as the caller determined them. */
export interface ReviewedChange {
  readonly files: readonly ChangedFile[];
  /** Describes the files in a message: `the files that …`. */
  readonly description: string;
  /** The commit that the change starts from, if it is known: the base of a pull request. */
  readonly from?: string | undefined;
}

/** The findings of a review of the base. */
export interface BaseProblems {
  /** The reviewed commit of the base: the merge base, if git knows it. */
  readonly commit: string;
  readonly entries: readonly BaselineEntry[];
}

/** What to review. Paths are relative to the repository, as the platform expects (unknowns §7). */
export interface ReviewRequest {
  readonly repository: Repository;
  /** The project's folder inside the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  readonly branch: string;
  /** The commit whose files are reviewed. */
  readonly commit: string;
  /** The commit that `changed` compares with, usually the base of a pull request. */
  readonly base?: string | undefined;
  /**
   * The files of the change, if the caller knows them better than git does from `base`. Takes precedence over `base`.
   */
  readonly change?: ReviewedChange | undefined;
  /**
   * What lies between `base` and the commit: a push, whose commit replaces the base; or a range of commits, which starts at their merge base,
   * unless it goes back. Default: a branch, which starts at the merge base.
   */
  readonly range?: 'push' | 'commits' | undefined;
  /** Name of `base` in messages; default: the first 12 characters of its commit id. */
  readonly baseName?: string | undefined;
  readonly scope: 'changed' | 'all';
  /** Pipelines that the change affects although it did not touch them: the scope `changed` reviews them, too. */
  readonly affected?: ReadonlySet<string> | undefined;
  /** Review all pipelines if nothing changed. */
  readonly wholeIfUnchanged?: boolean | undefined;
  /** Review only these files. Takes precedence over `scope`. */
  readonly files?: readonly string[] | undefined;
  /** Globs relative to the project. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[] | undefined;
  /** Configuration folder of the deployment, usually `.platform`. */
  readonly configDir: string;
  /** The runner version for the header `Agent-Version` (spec §4.5); a local review does not use it. */
  readonly agentVersion: string;
  /** Time limit in milliseconds for a review by the platform, all batches together. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** The lowest severity that fails the review. */
  readonly failOn: 'error' | 'warning' | 'notice' | 'never';
  /** Review these files instead of the commit's: the index or the work tree. The platform cannot see them. */
  readonly snapshot?: Snapshot | undefined;
  /** The baseline file, relative to the repository. Without it every finding is new. */
  readonly baseline?: string | undefined;
  /**
   * The commit whose baseline applies: the base of a pull request, so that a pull request cannot declare its own
   * findings old. If that commit has no baseline, or this is not given, the baseline of the reviewed files applies.
   */
  readonly policyCommit?: string | undefined;
  /** The commit whose settings apply, if it is not the reviewed one: of `policyCommit`, unless it has no valid ones or the user names others. */
  readonly settingsCommit?: string | undefined;
  /** The baseline on disk, if it is about to be replaced. Takes precedence over the others. */
  readonly replacedBaseline?: Buffer | undefined;
  /** The problems of the commit that the change starts from: they are known, together with the findings of the baseline. */
  readonly baseProblems?: BaseProblems | undefined;
  /** Millrace's own checks with their severity (docs/rules.md). */
  readonly checks?: Readonly<Partial<Record<CheckId, Severity | 'off'>>> | undefined;
  /** Other severities and limits in some files. */
  readonly overrides?: readonly PathOverride[] | undefined;
  /** The files that `review.extends` leads to: they decide about the review, too. */
  readonly extendedFiles?: readonly string[] | undefined;
  /** Project variables on the platform, names or globs, for the checks `undeclared-variable` and `passed-variable`. */
  readonly variables?: readonly string[] | undefined;
  /** The prefix under which the project publishes its shared pipelines. */
  readonly sharedPrefix?: string | undefined;
  /** The folder that calls are relative to. Default: the project, or the folder that is found. */
  readonly callFolder?: CallFolder | undefined;
  /** Glob of release tags, for the check `shared-id-changed`. Default: `v*`. */
  readonly releaseTag?: string | undefined;
  /** Accepted findings. */
  readonly suppress?: readonly Suppression[] | undefined;
  /**
   * Which comments in pipelines suppress findings: all, those that the base has, or none. Without `policyCommit`, `base`
   * is the same as `all`. Default: `base`.
   */
  readonly suppressionComments?: 'all' | 'base' | 'off' | undefined;
  /** Path of `millrace.yaml`, relative to the repository: an expired suppression is reported on its line. */
  readonly configFile?: string | undefined;
}

export interface ReviewReport {
  readonly outcome: 'passed' | 'failed' | 'nothing-to-do';
  /** New findings first, then known, then fixed ones of the baseline; the worst first in each group. */
  readonly findings: readonly Finding[];
  readonly reviewed: readonly string[];
  /** Files that the platform does not evaluate (spec §2.8). */
  readonly excluded: readonly string[];
  readonly counts: Readonly<Record<Finding['severity'], number>>;
  readonly branch: string;
  readonly commit: string;
  /** The folder from which calls are resolved, if it is not the project's own. */
  readonly callRoot?: CallFolder | FoundRoot;
  /** Where the rules were evaluated. */
  readonly source: 'platform' | 'local';
  /** The review status of the platform; absent in a local review. */
  readonly reviewStatus?: string;
  /** Why these files were reviewed, as text for messages. */
  readonly scopeReason: string;
  /** Files that decide about the review (settings, rules, baseline) and that the change touched. */
  readonly policyChanges: readonly string[];
  /** Pipelines of the project whose content a partial clone has not fetched; absent if it has all. */
  readonly notFetched?: readonly string[];
  /** Submodules of the project, whose pipelines are not reviewed; absent if it has none, or if the files to review were named. */
  readonly submodules?: readonly string[];
  /** Where the reviewed files come from. Index and work tree are based on `commit`. */
  readonly reviewedFrom: Snapshot['kind'];
  /** Suppressed findings. They are not counted. */
  readonly suppressed: readonly SuppressedFinding[];
  /** Number of findings that are known at every count, because an older version recorded the baseline. */
  readonly uncounted: number;
  /** The commit of `baseProblems`, and the number of findings that are known only because of it. */
  readonly base?: { readonly commit: string; readonly known: number };
  /** The entries to record when the baseline is updated. */
  readonly nextBaseline: readonly BaselineEntry[];
}
