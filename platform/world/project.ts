import { refuse } from '../refusal/refusal.ts';
import type { World } from './world.ts';
import { isVisibleByLevel } from './access-level.ts';
import type { Caller } from './caller.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** 1 if users other than Super Admins may see it (spec §1). */
  readonly invited: number;
}

/**
 * Super Admins see every project; others see the projects to which they were invited (spec §1), unless their level is
 * `noAccess` in all of its environments (§2.3).
 */
function isVisible(world: World, project: Project, caller: Caller): boolean {
  const { role, projects } = caller;
  if (role === 'superAdmin') return true;
  const isInvited = projects === null ? project.invited === 1 : Object.hasOwn(projects, project.name);
  return isInvited && isVisibleByLevel(world, project, caller);
}

/** The ids of the projects that a caller sees, as JSON for a query; `null` if it sees all of them. */
export function visibleProjects(world: World, caller: Caller): string | null {
  if (caller.role === 'superAdmin') return null;
  const rows = world.store.all<Project>('SELECT id, name, description, invited FROM project');
  return JSON.stringify(rows.filter((project) => isVisible(world, project, caller)).map(({ id }) => id));
}

/** Finds a project by id. @throws Refusal 404 if it does not exist or the caller may not see it. */
export function findProject(world: World, id: string, caller: Caller): Project {
  const project = world.store.get<Project>(
    'SELECT id, name, description, invited FROM project WHERE id = ?',
    id,
  );
  if (project === undefined || !isVisible(world, project, caller))
    throw refuse(404, `The project "${id}" does not exist.`);
  return project;
}
