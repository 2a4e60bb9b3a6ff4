import { refuseFiles } from '../../lib/git/refuse-files.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { type SelectedFile, selectFiles } from '../../lib/git/select-files.ts';
import { Failure } from '../../lib/core/failure.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { type BlobDigest, blobDigests } from './blob-digests.ts';
import type { FlowContext } from '../context/context.ts';
import { hiddenPipelines, describeHiddenPipelines } from './hidden-pipelines.ts';

/** What is published, and from where: always git objects at a commit, never the work tree. */
export interface ProjectSource {
  readonly repository: Repository;
  /** The project's folder inside the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  /** Branch, tag or id; resolved to a commit id. */
  readonly commit: string;
  /** Globs relative to the project. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[] | undefined;
}

/** One file of an artifact: what the manifest says about it. */
export interface ManifestEntry {
  /** Relative to the project: the form part's key (spec §4.3). */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ProjectFile extends ManifestEntry {
  readonly oid: string;
}

/**
 * The files of a project at a commit, looked at, measured and hashed in one pass. `always` names files that go along
 * whatever the globs say.
 * Warns of pipelines that only a dot in a name keeps out.
 * Throws Failure 'nothing-to-publish' where no pipeline is among them and 'file-refused' for what cannot go.
 */
export async function readProjectFiles(
  source: ProjectSource & { readonly always?: readonly string[] },
  { logger, signal }: Pick<FlowContext, 'logger' | 'signal'>,
): Promise<ProjectFile[]> {
  const { repository, directory, commit, include, exclude = [], always = [] } = source;
  const under = directory === '' ? {} : { under: directory };
  const tree = await repository.listTree(commit, { signal, ...under });
  const wanted = selectFiles(tree, { include, exclude }, directory);
  const hidden = hiddenPipelines(tree, source, directory);
  if (hidden.length > 0) logger.warn(describeHiddenPipelines(hidden));
  const extra = selectFiles(tree, { include: always.map(literally) }, directory);
  const selected = [...new Map([...wanted, ...extra].map((file) => [file.name, file])).values()];
  if (!selected.some(({ name }) => kindOf(name) !== undefined)) throw nothingToPublish(source, selected);
  const digests = new Map<string, BlobDigest>();
  await refuseFiles(selected, async (oids, visit) => {
    const digest = blobDigests((index, found) => digests.set(oids[index] ?? '', found));
    await repository.scanBlobs(
      oids,
      (index, chunk, bytes) => {
        visit(index, chunk, bytes);
        digest(index, chunk, bytes);
      },
      { signal },
    );
  });
  return selected.map(({ name, oid }) => {
    const digest = digests.get(oid);
    if (digest === undefined) throw new Failure('internal', { message: `${name} was not read.` });
    return { path: name, oid, ...digest };
  });
}

/** A path as a glob that fits only itself. */
function literally(path: string): string {
  return path.replaceAll(/[*?{}[\]]/g, '?');
}

function nothingToPublish(source: ProjectSource, selected: readonly SelectedFile[]): Failure {
  const where = source.directory === '' ? 'the repository' : `folder "${source.directory}"`;
  return new Failure('nothing-to-publish', {
    message:
      selected.length === 0
        ? `No file in ${where} at ${source.commit} matches ${source.include.map((glob) => `"${glob}"`).join(', ')}.`
        : `${selected.length === 1 ? 'The one file' : `None of the ${selected.length} files`} in ${where} that ${selected.length === 1 ? 'matches is no' : 'match is a'} pipeline (.orch.yaml or .tran.yaml); an artifact without one cannot run.`,
    where: { input: 'files.include' },
  });
}
