import { refuse } from '../refusal/refusal.ts';
import type { World } from './world.ts';
import type { Caller } from './caller.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** 1 if users other than Super Admins may see it (spec §1). */
  readonly invited: number;
}

/** Super Admins see every project; others see the projects to which they were invited (spec §1). */
export function isVisible(project: Project, { role, projects }: Caller): boolean {
  if (role === 'superAdmin') return true;
  return projects === null ? project.invited === 1 : Object.hasOwn(projects, project.name);
}

/** @throws Refusal 404 if the project does not exist or the caller may not see it. */
export function findProject(world: World, id: string, caller: Caller): Project {
  const project = world.store.get<Project>(
    'SELECT id, name, description, invited FROM project WHERE id = ?',
    id,
  );
  if (project === undefined || !isVisible(project, caller))
    throw refuse(404, `The project "${id}" does not exist.`);
  return project;
}
