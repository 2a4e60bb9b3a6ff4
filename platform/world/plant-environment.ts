import type { Ids } from '../random/ids.ts';
import type { Store } from '../store/store.ts';
import type { ProjectSeed } from '../seed/seed-schema.ts';

interface Planting {
  readonly projectId: string;
  /** The connection that an environment uses which names none. */
  readonly connection: { readonly name: string; readonly authProvider: string } | undefined;
  readonly environment: ProjectSeed['environments'][number];
  readonly agents: Readonly<Record<string, string>>;
  readonly ids: Ids;
}

/** A seed may name an environment only; what §2.3 requires is then filled in. */
export function plantEnvironment(store: Store, planting: Planting): void {
  const { projectId, connection, agents, ids } = planting;
  const given =
    typeof planting.environment === 'string' ? { name: planting.environment } : planting.environment;
  const agentId = given.defaultAgentId ?? ids.uuid();
  const accessLevel = given.defaultUserAccessLevel ?? 'default';
  const definition = {
    displayName: given.name,
    defaultConnections: {
      DWH: connection === undefined ? {} : { [connection.authProvider]: connection.name },
    },
    connectionOverrides: [],
    ...given,
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

/** The name that a runner has in the seed; runners that it does not list exist all the same. */
export function agentName(agents: Readonly<Record<string, string>>, id: string): string {
  return agents[id] ?? `agent-${id.slice(0, 8)}`;
}
