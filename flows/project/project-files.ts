import { createHash, hash, type Hash } from 'node:crypto';
import { refuseFiles } from '../../lib/git/refuse-files.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { selectFiles, type SelectedFile } from '../../lib/git/select-files.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { isOwnRoot, type CallFolder } from '../../lib/pipelines/model/call-root.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { FlowContext } from '../context/context.ts';
import {
  describeHiddenPipelines,
  describeMisnamedPipelines,
  hiddenPipelines,
  misnamedPipelines,
} from './hidden-pipelines.ts';
import type { BlobVisitor } from '../../lib/git/objects/scan-blobs.ts';

/** The files to publish: git objects at a commit, never the work tree. */
export interface ProjectSource {
  readonly repository: Repository;
  /** The project's folder inside the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  /** Branch, tag or commit id. */
  readonly commit: string;
  /** Globs relative to the project. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[] | undefined;
  /** The folder that calls are relative to, by the settings. Default: the project. */
  readonly callFolder?: CallFolder | undefined;
}

/** The entry of one file in the manifest of an artifact. */
export interface ManifestEntry {
  /** Relative to the project: the form part's key (spec §4.3). */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Git’s mode of the file, and the id of its blob; absent for a file that is not from git, such as a connector. */
  readonly mode?: string;
  readonly gitBlob?: string;
}

export interface ProjectFile extends ManifestEntry {
  readonly mode: string;
  /** The id of its blob. */
  readonly oid: string;
}

/** The manifest of an artifact: the files to send, in the order of the upload. */
export function manifestOf(
  files: readonly ProjectFile[],
  connectors: readonly ManifestEntry[] = [],
): ManifestEntry[] {
  return [
    ...files.map(({ path, bytes, sha256, mode, oid }) => ({ path, bytes, sha256, mode, gitBlob: oid })),
    ...connectors.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  ];
}

/**
 * Reads the files of a project at a commit; checks, measures and hashes them in one pass. `always`: files to
 * include even if no glob matches them. Warns about pipelines that are only left out because of a dot or a wrong
 * suffix in a name. Throws Failure 'nothing-to-publish' if no file is a pipeline, 'file-refused' for a file that
 * cannot be published, and 'config-invalid' if calls are relative to another folder than the project.
 */
export async function readProjectFiles(
  source: ProjectSource & { readonly always?: readonly string[] },
  { logger, signal }: Pick<FlowContext, 'logger' | 'signal'>,
): Promise<ProjectFile[]> {
  const { repository, directory, commit, include, exclude = [], always = [] } = source;
  refuseCallFolder(source);
  const under = directory === '' ? {} : { under: directory };
  const tree = await repository.listTree(commit, { signal, ...under });
  const matching = selectFiles(tree, { include, exclude }, directory);
  const hidden = hiddenPipelines(tree, source, directory);
  if (hidden.length > 0) logger.warn(describeHiddenPipelines(hidden));
  const misnamed = misnamedPipelines(tree, source, directory);
  if (misnamed.length > 0) logger.warn(describeMisnamedPipelines(misnamed));
  const extra = selectFiles(tree, { include: always.map(literalGlob) }, directory);
  const selected = [...new Map([...matching, ...extra].map((file) => [file.name, file])).values()];
  if (!selected.some(({ name }) => kindOf(name) !== undefined)) throw nothingToPublish(source, selected);
  const digests = new Map<string, BlobDigest>();
  await refuseFiles(selected, async (oids, visit) => {
    const digest = blobDigests((index, blobDigest) => digests.set(oids[index] ?? '', blobDigest));
    await repository.scanBlobs(
      oids,
      (index, chunk, bytes) => {
        visit(index, chunk, bytes);
        digest(index, chunk, bytes);
      },
      { signal },
    );
  });
  return selected.map(({ name, oid, mode }) => {
    const digest = digests.get(oid);
    if (digest === undefined)
      throw new Failure('internal', {
        message: `Git lists ${name}, but Millrace got no content for it.`,
      });
    return { path: name, oid, mode, ...digest };
  });
}

/** A glob that matches a path; `?` replaces its special characters. */
function literalGlob(path: string): string {
  return path.replaceAll(/[*?{}[\]]/g, '?');
}

function nothingToPublish(source: ProjectSource, selected: readonly SelectedFile[]): Failure {
  const where = source.directory === '' ? 'the repository' : `folder "${source.directory}"`;
  return new Failure('nothing-to-publish', {
    message:
      selected.length === 0
        ? `No file in ${where} at ${source.commit} matches ${source.include.map((glob) => `"${glob}"`).join(', ')}.`
        : `${selected.length === 1 ? 'The one file' : `None of the ${selected.length} files`} in ${where} that ${selected.length === 1 ? 'matches files.include is not a' : 'match files.include is a'} pipeline (.orch.yaml or .tran.yaml). An artifact without a pipeline cannot run.`,
    hint:
      selected.length === 0
        ? 'Commit the files that the artifact needs, or correct `files.include` in millrace.yaml and the working directory.'
        : 'Add the pipelines to `files.include` in millrace.yaml, and commit them.',
    where: { input: 'files.include' },
  });
}

/** The platform resolves calls from the root of what is published: no call would lead anywhere. */
function refuseCallFolder({ callFolder, directory }: ProjectSource): void {
  if (callFolder === undefined || isOwnRoot(callFolder)) return;
  const { folder, calledAs } = callFolder;
  throw new Failure('config-invalid', {
    message: `millrace.yaml says that calls are relative to ${folder === '' ? `"${calledAs ?? ''}"` : `the folder "${folder}"`}, but the published files start in the folder of the project: their calls would fail on the platform.`,
    where: { file: inRepository(directory, 'millrace.yaml') },
    hint:
      folder === '' || calledAs !== undefined
        ? 'Correct the calls, and remove `calls` from millrace.yaml.'
        : `Move millrace.yaml into ${folder}, remove \`calls\` from it, and publish from there.`,
  });
}

/** The size of a blob in bytes, and its SHA-256. */
interface BlobDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** A visitor of blobs that calls `onDigest` with the digest of each. */
export function blobDigests(onDigest: (index: number, digest: BlobDigest) => void): BlobVisitor {
  let parts: Hash | undefined;
  let hashedBytes = 0;
  return (index, chunk, bytes) => {
    if (chunk.length === bytes) {
      // One call is twice as fast as a hash object for each of thousands of small files.
      onDigest(index, { bytes, sha256: hash('sha256', chunk) });
      return;
    }
    parts ??= createHash('sha256');
    parts.update(chunk);
    hashedBytes += chunk.length;
    if (hashedBytes < bytes) return;
    onDigest(index, { bytes, sha256: parts.digest('hex') });
    parts = undefined;
    hashedBytes = 0;
  };
}
