import { type Client, Conflict, NotFound, OutcomeUnknown, RequestInvalid } from '../../client/index.ts';
import type { ProvisionFile } from '../../lib/config/project/provision-schema.ts';
import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import { currentEnvironments, currentProject, wantedProject } from './current-project.ts';
import type { ProvisionContext, ProvisionPart } from './part.ts';
import { environmentPart, planProvision } from './plan-provision.ts';
import { creationOutcomeUnknown, refusalOf, unseenProject } from './refusal.ts';
import { connectionRequest, environmentRequest } from './requests.ts';
import { sharedConnections } from './shared-connections.ts';

export interface ProvisionRequest {
  readonly file: ReadConfig<ProvisionFile>;
  /** Id of the project. Takes precedence over the file. */
  readonly projectId?: string | undefined;
  /** Only plan; change nothing. */
  readonly planOnly: boolean;
}

export interface ProvisionReport {
  /** `failed`: a part differs from the file, and the API cannot change it; everything else was done. */
  readonly outcome: 'passed' | 'nothing-to-do' | 'failed';
  readonly applied: boolean;
  /** Absent if the plan would create the project. */
  readonly projectId?: string;
  readonly parts: readonly ProvisionPart[];
  readonly warnings: readonly string[];
}

type EnvironmentInput = Parameters<Client['environments']['create']>[0];

/**
 * Sets a project up from a file, in the call order of spec §4.1. Existing parts are compared as far as the API shows
 * them and are not changed. So the command can be repeated, and continues after an interruption. A lost answer is
 * read back if the API allows it.
 * Throws Failure 'config-invalid' at the line that the platform refuses, or if several projects have the name;
 * 'outcome-unknown' with what to check; 'conflict' and 'not-found' for a project that the credential may not see; and
 * what the client throws.
 */
export async function provision(
  { file, projectId: requestedId, planOnly }: ProvisionRequest,
  context: ProvisionContext,
): Promise<ProvisionReport> {
  context.progress.step('Reading the project');
  const target = wantedProject(file.value, { id: requestedId, place: file.placeOf(['project', 'name']) });
  const current = await currentProject(target, context);
  const plan = planProvision(file.value, current);
  const warnings = sharedConnections(file);
  if (planOnly) return report(plan, { warnings, applied: false, projectId: current?.id });

  const [project, ...others] = plan;
  if (project === undefined) throw new RangeError('a plan begins with the project');
  const projectId = current?.id ?? (await createProject(project, file, context));
  const done: ProvisionPart[] = [current === undefined ? { ...project, state: 'created' } : project];
  for (const part of others) {
    const isNew = current === undefined;
    const open = part.state === 'missing' || part.state === 'unseen';
    done.push(open ? await createPart(part, { file, projectId, isNew }, context) : part);
  }
  return report(done, { warnings, applied: true, projectId });
}

function report(
  parts: readonly ProvisionPart[],
  {
    warnings,
    applied,
    projectId,
  }: { warnings: readonly string[]; applied: boolean; projectId: string | undefined },
): ProvisionReport {
  const states = new Set(parts.map(({ state }) => state));
  const open = states.has('missing') || states.has('unseen') || states.has('created');
  return {
    outcome: states.has('differs') ? 'failed' : open ? 'passed' : 'nothing-to-do',
    applied,
    ...(projectId === undefined ? {} : { projectId }),
    parts,
    warnings,
  };
}

async function createProject(
  part: ProvisionPart,
  file: ReadConfig<ProvisionFile>,
  context: ProvisionContext,
): Promise<string> {
  const { name, description, warehouse, agentDeploymentType } = file.value.project;
  const { client, signal, progress } = context;
  progress.step(`Creating the project ${name}`);
  try {
    const { projectId } = await client.projects.create(
      { name, warehouse, agentDeploymentType, ...(description === undefined ? {} : { description }) },
      { signal },
    );
    progress.step(`Created the project ${name}: ${projectId}`);
    return projectId;
  } catch (error) {
    if (error instanceof RequestInvalid) throw refusalOf(error, part, file);
    if (error instanceof Conflict) throw unseenProject(error, name, undefined);
    if (!(error instanceof OutcomeUnknown)) throw error;
    // There was no project with this name before, so an existing one is ours.
    const target = wantedProject(file.value, { id: undefined, place: file.placeOf(['project', 'name']) });
    const existing = await currentProject(target, context);
    if (existing === undefined) throw creationOutcomeUnknown(error, part, undefined);
    return existing.id;
  }
}

interface Place {
  readonly file: ReadConfig<ProvisionFile>;
  readonly projectId: string;
  /** This call created the project. */
  readonly isNew: boolean;
}

/** Creates a part, or finds that it exists. */
async function createPart(
  part: ProvisionPart,
  { file, projectId, isNew }: Place,
  context: ProvisionContext,
): Promise<ProvisionPart> {
  context.progress.step(`Creating the ${part.kind} ${part.name}`);
  try {
    await send(part, file.value, projectId, context);
    return { ...part, state: 'created' };
  } catch (error) {
    if (error instanceof RequestInvalid) throw refusalOf(error, part, file);
    if (error instanceof NotFound && isNew) throw unseenProject(error, file.value.project.name, projectId);
    const lost = error instanceof OutcomeUnknown;
    if (!lost && !(error instanceof Conflict)) throw error;
    if (part.kind === 'environment') {
      const agentId = file.value.environments[part.name]?.defaultAgentId ?? '';
      const environment = environmentPart(part.name, agentId, await currentEnvironments(projectId, context));
      if (environment.state === 'same' && lost) return { ...environment, state: 'created' };
      if (environment.state !== 'missing') return environment;
    } else if (!lost) return { ...part, state: 'exists' };
    throw lost ? creationOutcomeUnknown(error, part, projectId) : error;
  }
}

async function send(
  { kind, name }: ProvisionPart,
  file: ProvisionFile,
  projectId: string,
  { client, signal }: ProvisionContext,
): Promise<void> {
  if (kind === 'connection')
    await client.connections.create({ projectId, ...connectionRequest(file, name) }, { signal });
  else if (kind === 'environment') {
    // The file's schema has checked which properties belong together; the client checks them again.
    const input = { projectId, ...environmentRequest(file, name) } as unknown as EnvironmentInput;
    await client.environments.create(input, { signal });
  } else if (file.repository !== undefined) {
    const { provider, ownerName, repositoryName } = file.repository;
    const link = { provider, providerParameters: { ownerName }, repositoryName };
    await client.repositories.link({ projectId, ...link }, { signal });
  }
}
