import type { ProvisionFile } from '../../lib/config/provision-schema.ts';
import { Failure, type Place } from '../../lib/core/failure.ts';
import type { ProvisionContext } from './part.ts';

export interface CurrentProject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Runner by environment, all that the API shows of one (spec §2.3). */
  readonly environments: ReadonlyMap<string, string | null>;
}

/** Which project a file means. */
export interface WantedProject {
  readonly name: string;
  /** Decides where it is given. */
  readonly id: string | undefined;
  /** Where the file says it. */
  readonly place: Place;
}

/**
 * The project as the platform shows it, by its id, else by its name; `undefined` where there is none.
 * Throws Failure 'not-found' for an id that is not there, 'config-invalid' for a name that several have, and what the client throws.
 */
export async function currentProject(
  { name, id, place }: WantedProject,
  context: ProvisionContext,
): Promise<CurrentProject | undefined> {
  const { client, signal } = context;
  const found: { id: string; name: string; description?: string | null | undefined }[] = [];
  for await (const project of client.projects.list({ size: 100 }, { signal }))
    if (id === undefined ? project.name === name : sameText(project.id, id)) found.push(project);
  const [project] = found;
  if (found.length > 1) {
    throw new Failure('config-invalid', {
      message: `${String(found.length)} projects on the platform are named "${name}".`,
      where: place,
      hint: `Say which one is meant: put its id into the file (project.id), or give --project. They are ${found.map((one) => one.id).join(', ')}.`,
    });
  }
  if (project === undefined) {
    if (id === undefined) return undefined;
    throw new Failure('not-found', {
      message: `There is no project ${id} that this credential may see.`,
      where: place,
      hint: 'Check the id: `millrace api projects.list` shows what there is. A new project is shown to Super Admins only, until its users are invited (spec §1).',
    });
  }
  const { description } = project;
  const environments = await currentEnvironments(project.id, context);
  return { id: project.id, name: project.name, description: description ?? '', environments };
}

/** Throws what the client throws. */
export async function currentEnvironments(
  projectId: string,
  { client, signal }: ProvisionContext,
): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for await (const { name, defaultAgentId } of client.environments.list({ projectId, size: 100 }, { signal }))
    found.set(name, defaultAgentId);
  return found;
}

/** UUIDs are the same in either case. */
export function sameText(a: string | null, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

export function wantedProject(
  { project }: ProvisionFile,
  { id, place }: { id: string | undefined; place: Place },
): WantedProject {
  return { name: project.name, id: id ?? project.id, place };
}
