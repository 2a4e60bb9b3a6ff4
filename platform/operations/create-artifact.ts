import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { recordEffect } from '../world/effect.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import type { UploadedFile } from '../upload/receive-upload.ts';
import { unreadablePipelines } from '../upload/unreadable-pipelines.ts';
import type { World } from '../world/world.ts';
import { deploy, findDeployment, requireEnvironment } from './deployments.ts';
import type { Handler } from './handler.ts';

/** Creates an artifact from the uploaded files and deploys it to its environment, atomically (spec §4.3). */
export const createArtifact: Handler<'artifacts.create'> = async (call, world) => {
  const { headers, project, instance } = call;
  const { versionName, environmentName } = headers;
  const refuseKnown = () => {
    requireEnvironment(world, project.id, environmentName);
    if (findDeployment(world, project.id, environmentName, versionName) !== undefined)
      throw refuse(409, `The environment "${environmentName}" already has the version "${versionName}".`);
  };
  // Check before receiving the files, to refuse early, and again after it, because another upload may have finished
  // first.
  refuseKnown();
  const upload = await call.receive();
  try {
    const ignored = await unreadablePipelines(upload.files);
    const names = new Set(ignored.map(({ name }) => name));
    const files = upload.files.filter(({ path }) => !names.has(path));
    if (!files.some(({ path }) => kindOf(path) !== undefined))
      throw badRequest(instance, [
        'An artifact must contain at least one readable pipeline (.orch.yaml or .tran.yaml) (§2.6)',
        ...ignored.map(({ name, reason }) => `${name}: ${reason}`),
      ]);
    return world.files.keep(files, () =>
      world.store.transaction(() => {
        refuseKnown();
        insert(world, call, files);
        return { versionName, ignoredResources: ignored };
      }),
    );
  } finally {
    await world.files.discard(upload.files);
  }
};

function insert(
  world: World,
  call: Parameters<Handler<'artifacts.create'>>[0],
  files: readonly UploadedFile[],
): void {
  const { headers, project, caller, operation, requestId } = call;
  const { versionName, environmentName, commitHash, branch } = headers;
  world.store.run(
    'INSERT INTO artifact (project_id, version_name, commit_hash, branch, created_at) VALUES (?, ?, ?, ?, ?)',
    project.id,
    versionName,
    commitHash,
    branch ?? null,
    world.clock.now(),
  );
  const artifactId = world.store.get<{ id: number }>('SELECT last_insert_rowid() AS id')?.id ?? 0;
  for (const { path, sha256, bytes } of files)
    world.store.run('INSERT INTO artifact_file VALUES (?, ?, ?, ?)', artifactId, path, sha256, bytes);
  deploy(world, project.id, { environment: environmentName, version: versionName, artifactId });
  recordEffect(world, {
    operation,
    caller,
    requestId,
    projectId: project.id,
    effect: 'created',
    subject: { type: 'artifact', id: `${environmentName}/${versionName}`, name: versionName },
    description: `Version "${versionName}" was created in "${environmentName}" with ${String(files.length)} files`,
    event: 'Artifact created',
  });
}
