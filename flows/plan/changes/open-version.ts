import { type ProjectOfCommit, projectOfCommit } from '../../pipeline-tests/files/project-of-commit.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import {
  type CommitSource,
  fetchedCommit,
  isGitFailure,
  isKnown,
  type NotKnown,
  withoutPeriod,
} from './compare-commits.ts';

/** A version in the clone; or the reason why it could not be opened. */
export interface OpenedVersion {
  readonly commit: { readonly commit: string } | NotKnown;
  readonly project: ({ readonly commit: string } & ProjectOfCommit) | NotKnown;
}

export interface OpenVersionRequest {
  /** Undefined if the version does not exist. */
  readonly version: { readonly version: string; readonly commit?: string } | undefined;
  /** Why there is none, as the end of a sentence. */
  readonly none: string;
  /** The settings if `millrace.yaml` of the commit is invalid. Default: then the project is not known. */
  readonly fallback: ProjectConfig | undefined;
  readonly source: Pick<CommitSource, 'repository' | 'directory'> | NotKnown;
  readonly signal: AbortSignal;
}

/** Finds the commit of a version in the clone, and opens the project at that commit. */
export async function openVersion({
  version,
  none,
  fallback,
  source,
  signal,
}: OpenVersionRequest): Promise<OpenedVersion> {
  const both = (known: NotKnown): OpenedVersion => ({ commit: known, project: known });
  if (version === undefined) return both({ reason: none });
  if (!isKnown(source)) return both(source);
  const commit = await fetchedCommit(version, { ...source, signal });
  if (!isKnown(commit)) return both(commit);
  try {
    const project = await projectOfCommit({ ...source, ...commit, fallback, signal });
    return { commit, project: { ...commit, ...project } };
  } catch (error) {
    return { commit, project: { reason: `${version.version} cannot be read: ${reasonOf(error)}` } };
  }
}

/** The reason why a project cannot be read or bound, as the end of a sentence. Throws any other error. */
export function reasonOf(error: unknown): string {
  if (isGitFailure(error)) return [error.message, error.hint].map(withoutPeriod).join('. ');
  if (error instanceof Failure && error.code === 'config-invalid') return withoutPeriod(error.message);
  throw error;
}
