import { createHash, type Hash } from 'node:crypto';
import type { BlobReader } from '../git/blob-reader.ts';
import { refuseFiles } from '../git/refuse-files.ts';
import type { Repository } from '../git/repository.ts';
import { type SelectedFile, selectFiles } from '../git/select-files.ts';
import { Failure } from '../model/failure.ts';
import { kindOf } from '../pipelines/pipeline-kind.ts';

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
 * The files of a project at a commit, looked at and hashed in one pass. `always` names files that go along
 * whatever the globs say.
 * Throws Failure 'nothing-to-publish' where no pipeline is among them and 'file-refused' for what cannot go.
 */
export async function readProjectFiles(
  source: ProjectSource & { readonly always?: readonly string[] },
  reader: BlobReader,
): Promise<ProjectFile[]> {
  const { repository, directory, commit, include, exclude = [], always = [] } = source;
  const tree = await repository.listTree(commit, directory === '' ? {} : { under: directory });
  const wanted = selectFiles(tree, { include, exclude }, directory);
  const extra = selectFiles(tree, { include: always.map(literally) }, directory);
  const selected = [...new Map([...wanted, ...extra].map((file) => [file.name, file])).values()];
  if (!selected.some(({ name }) => kindOf(name) !== undefined)) throw nothingToPublish(source, selected);
  const digests = new Map<string, Hash>();
  await refuseFiles(selected, hashing(reader, digests));
  return selected.map(({ name, oid, size }) => ({
    path: name,
    oid,
    bytes: size,
    sha256: digests.get(oid)?.copy().digest('hex') ?? '',
  }));
}

/** A blob reader that hashes what passes through it, so that checking and hashing is one read. */
function hashing(reader: BlobReader, digests: Map<string, Hash>): BlobReader {
  return {
    ...reader,
    async *stream(oid) {
      const hash = createHash('sha256');
      digests.set(oid, hash);
      for await (const chunk of reader.stream(oid)) {
        hash.update(chunk);
        yield chunk;
      }
    },
  };
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
