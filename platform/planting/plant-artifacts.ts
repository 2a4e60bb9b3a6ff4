import { Failure } from '../../lib/core/errors/failure.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { readSharedPipelines, sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import { sortShared } from '../upload/sort-shared.ts';
import type { FileStore } from '../store/file-store.ts';
import type { Store } from '../store/store.ts';
import type { ProjectSeed, ReadySeed } from '../seed/seed-schema.ts';

/**
 * Where a seed is written: the database and the files of the platform, and the time in milliseconds since the
 * epoch.
 */
export interface SeedTarget {
  readonly store: Store;
  readonly files: FileStore;
  readonly now: number;
}

/** Writes a version of a project to its environments. A version that is written later is newer. */
export function plantArtifact(
  { store, files, now }: SeedTarget,
  projectId: string,
  artifact: ProjectSeed['artifacts'][number],
): void {
  const { version, commitHash, branch, environments } = artifact;
  const texts = textsOf(artifact);
  if (!Object.keys(texts).some((path) => kindOf(path) !== undefined))
    throw wrong(`The artifact "${version}" has no pipeline (.orch.yaml or .tran.yaml).`);
  store.run(
    'INSERT INTO artifact (project_id, version_name, commit_hash, branch, created_at) VALUES (?, ?, ?, ?, ?)',
    projectId,
    version,
    commitHash,
    branch ?? null,
    now,
  );
  const id = lastId(store);
  plantFiles({ store, files, now }, 'artifact_file', id, texts);
  for (const environment of environments) {
    const { name, enabled } =
      typeof environment === 'string' ? { name: environment, enabled: true } : environment;
    store.run(
      `INSERT INTO deployment (project_id, environment_name, version_name, artifact_id, enabled, deployed_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      projectId,
      name,
      version,
      id,
      enabled ? 1 : 0,
      now,
    );
  }
}

/**
 * Plants a version of shared pipelines. Like an upload, its folder must have the file that lists them (unknowns §3).
 */
export function plantShared(
  target: SeedTarget,
  shared: ReadySeed['shared'][number],
  configDir: string,
): void {
  const { prefix, version, commitHash, branch, enabled } = shared;
  const texts = textsOf(shared);
  const path = sharedPipelinesPath(configDir);
  const list = texts[path];
  if (list === undefined) throw wrong(`The shared version "${prefix}" ${version} lacks the file ${path}.`);
  const { pipelines, problems } = readSharedPipelines(path, list);
  for (const { line, message } of problems)
    throw wrong(`The shared version "${prefix}" ${version}: ${path}:${String(line)}: ${message}`);
  const { included } = sortShared(Object.keys(texts), pipelines);
  if (included.length === 0) throw wrong(`The shared version "${prefix}" ${version} has no shared pipeline.`);
  target.store.run(
    `INSERT INTO shared_artifact (prefix, version_name, enabled, created_at, commit_hash, branch)
     VALUES (?, ?, ?, ?, ?, ?)`,
    prefix,
    version,
    enabled ? 1 : 0,
    target.now,
    commitHash,
    branch ?? null,
  );
  const id = lastId(target.store);
  for (const { id: sharedId, source, description = null } of included)
    target.store.run('INSERT INTO shared_pipeline VALUES (?, ?, ?, ?)', id, sharedId, source, description);
  plantFiles(target, 'shared_file', id, texts);
}

/** The folders were read together with the seed file. */
function textsOf({
  version,
  folder,
  files = {},
}: {
  version: string;
  folder?: string | undefined;
  files?: Record<string, string> | undefined;
}) {
  if (folder === undefined) return files;
  throw wrong(`The version "${version}" names a folder, which only a seed that readSeed has read may do.`);
}

function plantFiles(
  { store, files }: SeedTarget,
  table: 'artifact_file' | 'shared_file',
  id: number,
  texts: Readonly<Record<string, string>>,
): void {
  for (const [path, text] of Object.entries(texts)) {
    const { sha256, bytes } = files.put(text);
    store.run(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`, id, path, sha256, bytes);
  }
}

const lastId = (store: Store) => store.get<{ id: number }>('SELECT last_insert_rowid() AS id')?.id ?? 0;

function wrong(message: string): Failure {
  return new Failure('config-invalid', {
    message: `The seed is invalid: ${message}`,
    where: { input: '--seed' },
  });
}
