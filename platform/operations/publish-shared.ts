import {
  readSharedPipelines,
  sharedPipelinesPath,
  type SharedPipeline,
} from '../../lib/pipelines/model/shared-pipelines.ts';
import { recordEffect } from '../world/effect.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import type { Upload } from '../upload/receive-upload.ts';
import { readableBytes } from '../upload/unreadable-pipelines.ts';
import type { World } from '../world/world.ts';
import type { Call, Handler } from './handler.ts';
import { findShared } from './shared-versions.ts';
import { type IncludedPipeline, sortShared } from '../upload/sort-shared.ts';

type PublishCall = Call<'sharedArtifacts.publish'>;

/** Publishes a version of the shared pipelines of an upload (spec §4.8; form of the request: unknowns §3). */
export const publishShared: Handler<'sharedArtifacts.publish'> = async (call, world) => {
  const { sharedPipelineIdPrefix: prefix, versionName } = call.headers;
  const refuseKnown = () => {
    if (findShared(world, prefix, versionName) !== undefined)
      throw refuse(
        409,
        `The shared pipelines "${prefix}" already have the version "${versionName}"; versions are immutable.`,
      );
  };
  refuseKnown();
  const upload = await call.receive();
  try {
    const { included, ignored } = sortShared(
      upload.files.map(({ path }) => path),
      readList(upload, world, call),
    );
    if (included.length === 0)
      throw badRequest(call.instance, [
        'No pipeline of the upload is shared',
        ...ignored.map(({ name, reason }) => `${name}: ${reason}`),
      ]);
    return world.files.keep(upload.files, () =>
      world.store.transaction(() => {
        refuseKnown();
        insert(world, call, upload, included);
        return { sharedPipelineIdPrefix: prefix, versionName, ignoredResources: ignored };
      }),
    );
  } finally {
    await world.files.discard(upload.files);
  }
};

function readList(upload: Upload, world: World, { instance }: PublishCall): readonly SharedPipeline[] {
  const path = sharedPipelinesPath(world.settings.configDir);
  const file = upload.files.find((candidate) => candidate.path === path);
  if (file === undefined)
    throw badRequest(instance, [`The upload must contain ${path}, which lists the shared pipelines`]);
  if (file.bytes > readableBytes) throw badRequest(instance, [`${path} is larger than 4 MiB`]);
  const { pipelines, problems } = readSharedPipelines(path, file.content());
  if (problems.length > 0)
    throw badRequest(
      instance,
      problems.map(({ line, message }) => `${path}:${String(line)}: ${message}`),
    );
  return pipelines;
}

function insert(
  world: World,
  call: PublishCall,
  upload: Upload,
  included: readonly IncludedPipeline[],
): void {
  const { sharedPipelineIdPrefix: prefix, versionName, commitHash, branch } = call.headers;
  world.store.run(
    `INSERT INTO shared_artifact (prefix, version_name, enabled, created_at, commit_hash, branch)
     VALUES (?, ?, 1, ?, ?, ?)`,
    prefix,
    versionName,
    world.clock.now(),
    commitHash ?? null,
    branch ?? null,
  );
  const seq = world.store.get<{ id: number }>('SELECT last_insert_rowid() AS id')?.id ?? 0;
  for (const { id, source, description } of included)
    world.store.run('INSERT INTO shared_pipeline VALUES (?, ?, ?, ?)', seq, id, source, description ?? null);
  for (const { path, sha256, bytes } of upload.files)
    world.store.run('INSERT INTO shared_file VALUES (?, ?, ?, ?)', seq, path, sha256, bytes);
  recordEffect(world, {
    operation: call.operation,
    caller: call.caller,
    requestId: call.requestId,
    effect: 'published',
    subject: { type: 'sharedArtifact', id: `${prefix}/${versionName}`, name: versionName },
    description: `Version "${versionName}" of the shared pipelines "${prefix}" was published with ${String(included.length)} pipelines`,
  });
}
