import { kindOf, withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { recordEffect } from '../world/effect.ts';
import { refuse } from '../refusal/refusal.ts';
import { requireRunner } from '../world/runners.ts';
import type { World } from '../world/world.ts';
import { type Deployment, newestEnabled, requireDeployment, requireEnvironment } from './deployments.ts';
import type { Handler } from './handler.ts';
import { publishedFiles, publishedSharedFiles } from './published-files.ts';
import type { ProjectVariable } from '../../engine/index.ts';

/** Starts an execution of a published pipeline (spec §4.4 with its two rules). */
export const startPipeline: Handler<'executions.start'> = (
  { body, project, caller, operation, requestId },
  world,
) => {
  const { environmentName, pipelineName, executionTag: tag } = body;
  requireEnvironment(world, project.id, environmentName);
  const runner = requireRunner(
    world.store,
    world.seed,
    body.agentId ?? defaultRunner(world, project.id, environmentName),
  );
  const { artifact_id, version_name: versionName } = chooseVersion(
    world,
    project.id,
    environmentName,
    body.versionName,
  );
  const published = publishedFiles(world, artifact_id);
  const pipeline = findPipeline(published.paths, pipelineName);
  if (pipeline === undefined)
    throw refuse(
      404,
      `The version "${versionName}" in "${environmentName}" has no pipeline "${pipelineName}".`,
    );
  const walk = {
    id: world.ids.uuid(),
    pipeline,
    environment: environmentName,
    projectId: project.id,
    ...published,
    scalarVariables: body.scalarVariables ?? {},
    gridVariables: body.gridVariables ?? {},
    projectVariables: projectVariablesIn(world, project.id, environmentName),
    clock: world.clock,
    shared: publishedSharedFiles(world),
  };
  world.store.transaction(() => {
    if (tag !== undefined && isBusy(world, project.id, environmentName, tag))
      throw refuse(409, `An execution with the tag "${tag}" is still running in "${environmentName}".`);
    world.executions.add({ projectId: project.id, versionName, tag }, walk);
    recordEffect(world, {
      operation,
      caller,
      requestId,
      projectId: project.id,
      effect: 'started',
      subject: { type: 'execution', id: walk.id, name: pipeline },
      description: `Execution of "${pipeline}" of version "${versionName}" was started in "${environmentName}"`,
    });
  });
  world.executions.begin(project.id, walk, runner.id);
  return { pipelineExecutionId: walk.id };
};

function defaultRunner(world: World, projectId: string, environment: string): string {
  const row = world.store.get<{ agent_id: string }>(
    'SELECT agent_id FROM environment WHERE project_id = ? AND name = ?',
    projectId,
    environment,
  );
  return row?.agent_id ?? '';
}

function chooseVersion(
  world: World,
  projectId: string,
  environment: string,
  named: string | undefined,
): Deployment {
  if (named === undefined) {
    const newest = newestEnabled(world, projectId, environment);
    if (newest === undefined) throw refuse(404, `The environment "${environment}" has no enabled version.`);
    return newest;
  }
  const deployment = requireDeployment(world, projectId, environment, named);
  // Spec §3.3: a disabled artifact cannot be executed. 410: unknowns §2.
  if (deployment.enabled === 0) throw refuse(410, `The version "${named}" is disabled in "${environment}".`);
  return deployment;
}

/** Unknowns §2: with or without suffix. Of two pipelines with the same name the orchestration is chosen. */
function findPipeline(paths: readonly string[], name: string): string | undefined {
  const matching = paths.filter(
    (path) => kindOf(path) !== undefined && (path === name || withoutSuffix(path) === name),
  );
  return (
    matching.find((path) => path === name) ??
    matching.find((path) => kindOf(path) === 'orchestration') ??
    matching[0]
  );
}

function isBusy(world: World, projectId: string, environment: string, tag: string): boolean {
  return (
    world.store.get(
      'SELECT 1 FROM execution WHERE project_id = ? AND environment_name = ? AND tag = ? AND finished = 0',
      projectId,
      environment,
      tag,
    ) !== undefined
  );
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly behaviour: string;
  readonly value: string;
}

/** The project's variables with their values in an environment: the override if there is one (spec §4.6). */
function projectVariablesIn(
  world: World,
  projectId: string,
  environment: string,
): ReadonlyMap<string, ProjectVariable> {
  const rows = world.store.all<Row>(
    `SELECT v.name, v.type, v.behaviour, coalesce(o.value, v.value) AS value
     FROM variable v LEFT JOIN variable_override o ON o.variable_id = v.id AND o.environment_name = ?
     WHERE v.project_id = ? ORDER BY v.seq`,
    environment,
    projectId,
  );
  return new Map(
    rows.map(({ name, type, behaviour, value }) => {
      const parsed = JSON.parse(value) as string | number | null;
      return [name, { type, behaviour, value: parsed ?? (type === 'NUMBER' ? 0 : '') }];
    }),
  );
}
