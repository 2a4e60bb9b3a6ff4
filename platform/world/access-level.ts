import type { Caller } from './caller.ts';
import type { World } from './world.ts';

/** What a caller may do in an environment (spec §2.3; unknowns §1 says what each level allows). */
export type Level = 'noAccess' | 'readOnly' | 'runner' | 'admin';

const rank = { noAccess: 0, readOnly: 1, runner: 2, admin: 3 } as const satisfies Record<Level, number>;

/** Whether a level includes another level. */
export function allows(level: Level, needed: Level): boolean {
  return rank[level] >= rank[needed];
}

/** A project, with the facts that decide who may access it. */
export interface AccessedProject {
  readonly id: string;
  readonly name: string;
}

/** The level of a caller in one environment of a project, or in a project without environments. */
export interface EnvironmentLevel {
  readonly environment: string | undefined;
  readonly level: Level;
}

interface Row {
  readonly name: string;
  readonly access_level: string;
}

/**
 * The caller's levels in a project: one for each environment, in order; if there are none, one for the project
 * itself.
 */
export function levelsIn(world: World, project: AccessedProject, caller: Caller): EnvironmentLevel[] {
  const rows = world.store.all<Row>(
    'SELECT name, access_level FROM environment WHERE project_id = ? ORDER BY seq',
    project.id,
  );
  if (rows.length === 0) return [{ environment: undefined, level: levelOf(caller, project.name, undefined) }];
  return rows.map((row) => ({ environment: row.name, level: levelOf(caller, project.name, row) }));
}

/** The caller's level in an environment; `undefined` if the environment does not exist. */
export function levelIn(
  world: World,
  project: AccessedProject,
  environment: string,
  caller: Caller,
): Level | undefined {
  const row = world.store.get<Row>(
    'SELECT name, access_level FROM environment WHERE project_id = ? AND name = ?',
    project.id,
    environment,
  );
  return row && levelOf(caller, project.name, row);
}

/** Whether a caller with these levels sees a project: one of its environments must be visible, if it has any. */
export function isVisibleByLevel(world: World, project: AccessedProject, caller: Caller): boolean {
  if (isUnlimited(caller)) return true;
  return levelsIn(world, project, caller).some(({ level }) => level !== 'noAccess');
}

/**
 * Names of the environments that the caller sees, as JSON for a query; `null` if it sees all of them, which also
 * includes names that are not environments.
 */
export function visibleEnvironments(world: World, project: AccessedProject, caller: Caller): string | null {
  if (isUnlimited(caller)) return null;
  const levels = levelsIn(world, project, caller);
  const visible = levels.filter(({ level }) => level !== 'noAccess');
  return visible.length === levels.length
    ? null
    : JSON.stringify(visible.map(({ environment }) => environment));
}

/** Whether no level limits the caller. */
export function isUnlimited({ role, accessLevel, projects }: Caller): boolean {
  return role === 'superAdmin' || (role === 'admin' && accessLevel === null && projects === null);
}

/**
 * The level that the credential names for the environment, else for the project, else for all. `default`, and a member's
 * credential that names none, means the level of the environment; if that is `default` too, nothing is limited.
 */
function levelOf(caller: Caller, project: string, environment: Row | undefined): Level {
  if (isUnlimited(caller)) return 'admin';
  const ofProject = new Map(Object.entries(caller.projects ?? {})).get(project) ?? undefined;
  const named =
    typeof ofProject === 'object'
      ? new Map(Object.entries(ofProject)).get(environment?.name ?? '')
      : ofProject;
  const assigned = named ?? caller.accessLevel ?? (caller.role === 'admin' ? 'admin' : 'default');
  const level = assigned === 'default' ? (environment?.access_level ?? 'default') : assigned;
  return level in rank ? (level as Level) : 'admin';
}
