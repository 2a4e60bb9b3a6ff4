import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import { openRepository, type Repository, type RepositoryOptions } from '../../lib/git/repository.ts';
import { type PipelineFile, reviewFiles, type ReviewInput } from '../../lib/pipelines/review-files.ts';
import { answerOf, type CommitReview } from './answer.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import type { RulesFileText } from '../../lib/pipelines/prepare-rules.ts';
import { folderOf, rulesFileFor, rulesFilePath } from '../../lib/pipelines/rules-file.ts';

/** A request for a review (spec §2.8, §4.5). */
export interface ReviewCommitRequest {
  /** Folder of all repositories. */
  readonly gitRoot: string;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly ownerName: string;
  readonly repositoryName: string;
  readonly branchName: string;
  /** A commit's id, at least seven digits of it. */
  readonly commitId: string;
  /** Paths relative to the repository (unknowns §7). */
  readonly pipelines: readonly string[];
  /** The configuration folder, `.platform` in the specification (unknowns §3), relative to the repository. */
  readonly configDir: string;
  readonly signal?: AbortSignal;
}

/** The reason why a review was refused: the HTTP status, and the message for `{ error, status }` (spec §7). */
export interface ReviewRefusal {
  readonly status: 400 | 404;
  readonly error: string;
}

/**
 * Reviews files of a commit, or refuses: 404 if repository, branch or commit are unknown or the branch does not
 * contain the commit, 400 if a file is not in the commit. A missing rules file is not a refusal but a result
 * (`designer/rules-file-retrieval-error`).
 * Throws Failure 'git-failed' if git itself fails.
 */
export async function reviewCommit(
  request: ReviewCommitRequest,
): Promise<{ readonly review: CommitReview } | { readonly refused: ReviewRefusal }> {
  const { gitRoot, environment, ownerName, repositoryName, configDir, signal } = request;
  const options = { ...(environment && { environment }), signal };
  const repository = await openLinkedRepository(gitRoot, ownerName, repositoryName, options);
  if (repository === undefined) {
    return refuse(
      404,
      `There is no repository "${ownerName}/${repositoryName}" in the folder of repositories.`,
    );
  }
  const resolved = await findCommit(repository, request);
  if ('refused' in resolved) return resolved;
  const files = await readReviewFiles(repository, resolved.commit, request.pipelines, configDir, signal);
  if ('missing' in files) {
    const names = files.missing.map((path) => `"${path}"`).join(', ');
    return refuse(400, `Not in commit ${resolved.commit}: ${names}. Paths are relative to the repository.`);
  }
  return { review: answerOf(await reviewFiles(files)) };
}

/** The full id of the commit, if the branch contains it. */
async function findCommit(
  repository: Repository,
  { branchName, commitId, signal }: ReviewCommitRequest,
): Promise<{ readonly commit: string } | { readonly refused: ReviewRefusal }> {
  // Git would also resolve a ref name or an expression (`HEAD~1`), but these are not commit ids.
  const commit = /^[0-9a-f]{7,64}$/i.test(commitId)
    ? await resolveOrUndefined(repository.resolveCommit(commitId, { signal }))
    : undefined;
  if (commit === undefined) return refuse(404, `There is no commit "${commitId}" in the repository.`);
  if (await repository.branchContains(commit, branchName, { signal })) return { commit };
  const branch = await resolveOrUndefined(repository.resolveCommit(`refs/heads/${branchName}`, { signal }));
  return refuse(
    404,
    branch === undefined
      ? `There is no branch "${branchName}" in the repository.`
      : `The branch "${branchName}" does not contain the commit ${commit}; push it first.`,
  );
}

async function resolveOrUndefined(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git-failed') return undefined;
    throw error;
  }
}

function refuse(status: 400 | 404, error: string): { readonly refused: ReviewRefusal } {
  return { refused: { status, error } };
}

/**
 * Opens `<gitRoot>/<ownerName>/<repositoryName>`, bare or with a work tree, with or without the suffix `.git`.
 * `undefined` if it does not exist, or if a name would lead out of the folder.
 */
async function openLinkedRepository(
  gitRoot: string,
  ownerName: string,
  repositoryName: string,
  options: RepositoryOptions,
): Promise<Repository | undefined> {
  if (!isPlainName(ownerName) || !isPlainName(repositoryName)) return undefined;
  const bare = repositoryName.replace(/\.git$/, '');
  const names = new Set([repositoryName, bare, `${bare}.git`].filter(isPlainName));
  for (const name of names) {
    const folder = await realpath(join(gitRoot, ownerName, name)).catch(() => undefined);
    if (folder === undefined) continue;
    const repository = await openRepository(folder, options).catch((error: unknown) => {
      // With a cause, git could not be started; without one, git reported that this is not a repository.
      if (error instanceof Failure && error.cause === undefined) return undefined;
      throw error;
    });
    // If the folder is not a repository, git finds one in a parent folder, which is not the linked one.
    if (repository?.root === folder) return repository;
  }
  return undefined;
}

/** Whether a name is a single path segment: no separator, no `..`, no control character. */
function isPlainName(name: string): boolean {
  return /^[^/\\\p{Cc}]+$/u.test(name) && name !== '.' && name !== '..';
}

/** The rules files and the reviewed files of the commit, or the paths that the commit does not have. */
async function readReviewFiles(
  repository: Repository,
  commit: string,
  pipelines: readonly string[],
  configDir: string,
  signal: AbortSignal | undefined,
): Promise<ReviewInput | { readonly missing: readonly string[] }> {
  const tree = await repository.listTree(commit, { signal });
  const blobs = new Map(tree.filter(({ type }) => type === 'blob').map(({ path, oid }) => [path, oid]));
  const paths = [...new Set(pipelines)];
  const missing = paths.filter((path) => !blobs.has(path));
  if (missing.length > 0) return { missing };

  await using reader = repository.openBlobReader({ signal });
  const read = async (path: string) => {
    const oid = blobs.get(path);
    const bytes = oid === undefined ? undefined : await reader.readWithin(oid, maxPipelineBytes);
    return bytes === undefined ? undefined : decodeText(bytes);
  };
  const rulesFileAt = async (path: string): Promise<RulesFileText> => ({
    path,
    text: undefined,
    ...(await read(path)),
  });
  const rulesFile = await rulesFileAt(rulesFilePath(configDir));
  const isThere = (path: string) => blobs.has(path);
  const rulesFiles = new Map<string, RulesFileText>();
  const rulesFor = async (pipeline: string) => {
    const path = rulesFileFor(folderOf(pipeline), isThere, configDir);
    const before = rulesFiles.get(path) ?? (await rulesFileAt(path));
    rulesFiles.set(path, before);
    return before;
  };
  const files: PipelineFile[] = [];
  // An excluded file is not read, because only its name is needed.
  for (const path of paths) {
    const content = kindOf(path) === undefined ? { text: '' } : await read(path);
    files.push({ path, text: undefined, ...content, rulesFile: await rulesFor(path) });
  }
  return { rulesFile, pipelines: files };
}
