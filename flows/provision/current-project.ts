import type { ProvisionFile } from '../../lib/config/project/provision-schema.ts';
import { Failure, type Place } from '../../lib/core/errors/failure.ts';
import type { ProvisionContext } from './part.ts';

export interface CurrentProject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Runner by environment: the API shows no other field of an environment (spec §2.3). */
  readonly environments: ReadonlyMap<string, string | null>;
}

/** The project that a file describes. */
export interface WantedProject {
  readonly name: string;
  /** Takes precedence over the name. */
  readonly id: string | undefined;
  /** Position of the name in the file. */
  readonly place: Place;
}

/**
 * Finds the project on the platform by its id, or else by its name; `undefined` if no project has the name. Throws
 * Failure 'not-found' for an unknown id, 'config-invalid' if several projects have the name, and what the client
 * throws.
 */
export async function currentProject(
  { name, id, place }: WantedProject,
  context: ProvisionContext,
): Promise<CurrentProject | undefined> {
  const { client, signal } = context;
  const projects: { id: string; name: string; description?: string | null | undefined }[] = [];
  for await (const project of client.projects.list({ size: 100 }, { signal }))
    if (id === undefined ? project.name === name : sameText(project.id, id)) projects.push(project);
  const [project] = projects;
  if (projects.length > 1) {
    throw new Failure('config-invalid', {
      message: `${String(projects.length)} projects on the platform are named "${name}".`,
      where: place,
      hint: `Set project.id in the file, or the option --project, to the id of one of them: ${projects.map((candidate) => candidate.id).join(', ')}.`,
    });
  }
  if (project === undefined) {
    if (id === undefined) return undefined;
    throw new Failure('not-found', {
      message: `Project ${id} was not found, or this credential has no access to it.`,
      where: place,
      hint: 'Check the id: `millrace api projects.list` lists the projects. Only Super Admins can see a new project, until its users are invited (spec §1).',
    });
  }
  const { description } = project;
  const environments = await currentEnvironments(project.id, context);
  return { id: project.id, name: project.name, description: description ?? '', environments };
}

/** The environments of a project with their runners. Throws what the client throws. */
export async function currentEnvironments(
  projectId: string,
  { client, signal }: ProvisionContext,
): Promise<Map<string, string | null>> {
  const runners = new Map<string, string | null>();
  for await (const { name, defaultAgentId } of client.environments.list({ projectId, size: 100 }, { signal }))
    runners.set(name, defaultAgentId);
  return runners;
}

/** Compares two ids ignoring case, because UUIDs are case-insensitive. */
export function sameText(a: string | null, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

export function wantedProject(
  { project }: ProvisionFile,
  { id, place }: { id: string | undefined; place: Place },
): WantedProject {
  return { name: project.name, id: id ?? project.id, place };
}
