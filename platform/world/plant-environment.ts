import type { Ids } from '../random/ids.ts';
import type { Store } from '../store/store.ts';
import type { ProjectSeed } from '../seed/seed-schema.ts';

interface Planting {
  readonly projectId: string;
  /** The connection of an environment that names none. */
  readonly connection: { readonly name: string; readonly authProvider: string } | undefined;
  readonly environment: ProjectSeed['environments'][number];
  readonly agents: Readonly<Record<string, string>>;
  readonly ids: Ids;
}

/** A seed may give only the name of an environment; the other fields that §2.3 requires are added. */
export function plantEnvironment(store: Store, planting: Planting): void {
  const { projectId, connection, agents, ids } = planting;
  const environment =
    typeof planting.environment === 'string' ? { name: planting.environment } : planting.environment;
  const agentId = environment.defaultAgentId ?? ids.uuid();
  const accessLevel = environment.defaultUserAccessLevel ?? 'default';
  const definition = {
    displayName: environment.name,
    defaultConnections: {
      DWH: connection === undefined ? {} : { [connection.authProvider]: connection.name },
    },
    connectionOverrides: [],
    ...environment,
    defaultAgentId: agentId,
    defaultUserAccessLevel: accessLevel,
  };
  store.run(
    `INSERT INTO environment (project_id, name, agent_id, agent_name, access_level, definition)
     VALUES (?, ?, ?, ?, ?, ?)`,
    projectId,
    definition.name,
    agentId,
    agentName(agents, agentId),
    accessLevel,
    JSON.stringify(definition),
  );
}

/** The name of a runner in the seed. Runners that the seed does not list also exist. */
export function agentName(agents: Readonly<Record<string, string>>, id: string): string {
  return agents[id] ?? `agent-${id.slice(0, 8)}`;
}
