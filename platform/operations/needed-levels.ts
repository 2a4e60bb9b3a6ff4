import type { OperationId } from '../../lib/contract/operations.ts';
import { Refusal, refuse } from '../refusal/refusal.ts';
import { allows, isUnlimited, type Level, levelIn, levelsIn } from '../world/access-level.ts';
import type { World } from '../world/world.ts';
import type { Call } from './handler.ts';

/** The access level that an operation needs, and the environment or project in which it needs it. */
export type Need<Id extends OperationId> =
  /** The account's role alone decides; the operation belongs to no project. */
  | 'role'
  /** Reads what belongs to the project: any level above `noAccess` in one environment, as `findProject` checks. */
  | 'reads-project'
  /** Changes what belongs to the project: `admin` in every environment. */
  | 'changes-project'
  /** Reads or changes what is in environments: a level in each of them. */
  | ((call: Call<Id>, world: World) => readonly Needed[]);

interface Needed {
  readonly environment: string;
  readonly level: Level;
  /** The subject that does not exist for a caller who does not see the environment. Default: the environment. */
  readonly subject?: string | undefined;
}

/**
 * The access level that each operation needs (spec §2.3, §5 rule 2; unknowns §1). Apart from the account role,
 * nothing else in the platform decides who may call an operation. `overrides.set` checks each of its entries (§5
 * rule 7), and lists leave out what the caller may not see.
 */
export const neededLevels: { readonly [Id in OperationId]: Need<Id> } = {
  'projects.create': 'role',
  'projects.list': 'role',
  'connections.create': 'changes-project',
  'environments.create': 'changes-project',
  'environments.list': 'reads-project',
  'repositories.link': 'changes-project',
  'streamingPipelines.create': 'changes-project',
  'streamingPipelines.get': 'reads-project',
  'streamingPipelines.command': 'changes-project',
  'streamingPipelines.status': 'reads-project',
  'artifacts.create': ({ headers }) => [{ environment: headers.environmentName, level: 'admin' }],
  'artifacts.promote': ({ body }) => [
    { environment: body.sourceEnvironmentName, level: 'readOnly' },
    { environment: body.targetEnvironmentName, level: 'admin' },
  ],
  'artifacts.list': 'reads-project',
  'artifacts.setEnabled': ({ body }) => [{ environment: body.environmentName, level: 'admin' }],
  'connectors.listCustom': 'role',
  'connectors.listFlex': 'role',
  'publishedPipelines.list': 'reads-project',
  'executions.start': ({ body }) => [{ environment: body.environmentName, level: 'runner' }],
  'executions.get': (call, world) => ofExecution(call, world, 'readOnly'),
  'executions.terminate': (call, world) => ofExecution(call, world, 'runner'),
  'reviews.create': 'reads-project',
  'variables.list': 'reads-project',
  'variables.create': 'changes-project',
  'variables.update': 'changes-project',
  'variables.delete': 'changes-project',
  'overrides.list': 'reads-project',
  'overrides.set': 'reads-project',
  'overrides.delete': ({ params }) => [{ environment: params.environmentName, level: 'admin' }],
  'audit.list': 'role',
  'sharedPipelines.list': 'role',
  'sharedArtifacts.list': 'role',
  'sharedArtifacts.details': 'role',
  'sharedArtifacts.publish': 'role',
  'sharedArtifacts.setEnabled': 'role',
};

function ofExecution(
  call: Call<'executions.get'> | Call<'executions.terminate'>,
  world: World,
  level: Level,
): readonly Needed[] {
  const id = call.params.pipelineExecutionId;
  const row = world.store.get<{ environment_name: string }>(
    'SELECT environment_name FROM execution WHERE project_id = ? AND id = ?',
    call.project.id,
    id,
  );
  return row === undefined
    ? []
    : [{ environment: row.environment_name, level, subject: `The execution "${id}"` }];
}

type AnyNeed =
  'role' | 'reads-project' | 'changes-project' | ((call: Call, world: World) => readonly Needed[]);

/**
 * Refuses a call if the caller does not have the level that its operation needs. @throws Refusal 404 for an object
 * in an environment that the caller does not see; 403 with the level if it is too low
 */
export function requireLevel(call: Call, world: World): void {
  const { caller, project } = call;
  if (project === undefined || isUnlimited(caller)) return;
  const need = neededLevels[call.operation] as AnyNeed;
  if (need === 'role' || need === 'reads-project') return;
  if (need === 'changes-project') {
    const lowest = levelsIn(world, project, caller).find(({ level }) => !allows(level, 'admin'));
    if (lowest !== undefined) throw lowInProject(lowest.environment, lowest.level);
    return;
  }
  for (const { environment, level: needed, subject } of need(call, world)) {
    const level = levelIn(world, project, environment, caller);
    if (level === undefined) continue; // The handler answers for an environment that does not exist.
    if (level === 'noAccess')
      throw refuse(404, `${subject ?? `The environment "${environment}"`} does not exist.`);
    if (!allows(level, needed))
      throw low(`This needs the access level ${needed} in "${environment}"; the credential has ${level}.`, {
        needed,
        level,
        environment,
      });
  }
}

/** What belongs to the project needs `admin` in every environment. One that the caller does not see is not named. */
function lowInProject(environment: string | undefined, level: Level): Refusal {
  const needed = 'admin';
  if (environment === undefined)
    return low(`This needs the access level admin in the project; the credential has ${level}.`, {
      needed,
      level,
    });
  const every = 'This needs the access level admin in every environment of the project';
  if (level === 'noAccess')
    return low(`${every}; the credential does not see all of them.`, { needed, level });
  return low(`${every}; the credential has ${level} in "${environment}".`, { needed, level, environment });
}

interface Low {
  readonly needed: Level;
  readonly level: Level;
  readonly environment?: string;
}

/** A 403 that names the levels, also in fields of their own (unknowns §1). */
function low(error: string, { needed, level, environment }: Low): Refusal {
  return new Refusal(403, {
    error,
    status: 403,
    requiredAccessLevel: needed,
    accessLevel: level,
    ...(environment === undefined ? {} : { environmentName: environment }),
  });
}
