import { decodeText } from '../../lib/core/files/decode-text.ts';
import { kindOf, withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { type PublishedFiles, type SharedPipelines, SqlError } from '../../engine/index.ts';
import type { World } from '../world/world.ts';
import { findShared } from './shared-versions.ts';

interface FileRow {
  readonly path: string;
  readonly sha256: string;
}

/** Reads the files of a project artifact. */
export function publishedFiles(world: World, artifactId: number): PublishedFiles {
  return readable(
    world,
    world.store.all<FileRow>('SELECT path, sha256 FROM artifact_file WHERE artifact_id = ?', artifactId),
  );
}

/** Reads shared pipelines for `run-shared-pipeline`. `[Latest]` is the newest enabled version (spec §2.11). */
export function publishedSharedFiles(world: World): SharedPipelines {
  return (prefix, id, version) => {
    const artifact = findShared(world, prefix, version === '[Latest]' ? undefined : version);
    if (artifact === undefined || artifact.enabled === 0) return undefined;
    const row = world.store.get<{ source_pipeline: string }>(
      'SELECT source_pipeline FROM shared_pipeline WHERE artifact_seq = ? AND shared_id = ?',
      artifact.seq,
      id,
    );
    if (row === undefined) return undefined;
    const published = readable(
      world,
      world.store.all<FileRow>('SELECT path, sha256 FROM shared_file WHERE artifact_seq = ?', artifact.seq),
    );
    const pipeline = published.paths.find(
      (path) => kindOf(path) !== undefined && withoutSuffix(path) === row.source_pipeline,
    );
    return pipeline === undefined
      ? undefined
      : { ...published, pipeline, versionName: artifact.version_name };
  };
}

function readable(world: World, rows: readonly FileRow[]): PublishedFiles {
  const places = new Map(rows.map(({ path, sha256 }) => [path, sha256]));
  return {
    paths: [...places.keys()],
    files(path) {
      const sha256 = places.get(path);
      return sha256 === undefined ? undefined : textOf(world.files.read(sha256), path);
    },
  };
}

/** Throws SqlError at the place that is not text. */
function textOf(bytes: Buffer, file: string): string {
  const { text, fault } = decodeText(bytes);
  if (fault === undefined) return text;
  const { reason, line, column } = fault;
  throw new SqlError(`the file cannot be read: ${reason}`, { place: { file, line, column } });
}
