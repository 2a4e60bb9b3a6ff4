import type { ConnectionDetails, ProvisionFile } from '../../lib/config/project/provision-schema.ts';

/** The body that registers a connection (spec §2.2). */
export function connectionRequest({ project, connections }: ProvisionFile, name: string) {
  const connection = connections[name];
  return {
    name,
    platformConnectionType: 'dwh',
    authProvider: providerOf({ project, connections }, name),
    authType: connection?.authType ?? 'key_pair',
  } as const;
}

function providerOf({ project, connections }: Pick<ProvisionFile, 'project' | 'connections'>, name: string) {
  return connections[name]?.authProvider ?? project.warehouse.toLowerCase();
}

/** The body that creates an environment (spec §2.3). */
export function environmentRequest(file: ProvisionFile, name: string): Record<string, unknown> {
  const environment = file.environments[name];
  if (environment === undefined) return { name };
  const {
    displayName = name,
    description,
    defaultAgentId,
    defaultUserAccessLevel,
    connections,
  } = environment;
  const byDefault = environment.defaultConnection ?? Object.keys(connections)[0] ?? '';
  return {
    name,
    displayName,
    ...(description === undefined ? {} : { description }),
    defaultAgentId,
    defaultUserAccessLevel,
    defaultConnections: { DWH: { [providerOf(file, byDefault)]: byDefault } },
    connectionOverrides: Object.entries(connections).map(([connectionName, details]) => ({
      connectionName,
      connectionProperties: propertiesOf(details),
    })),
  };
}

/** Strings, numbers and booleans are sent as `{ value: text }`, secrets as references. */
function propertiesOf(details: ConnectionDetails): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([field, value]) => [
      field,
      typeof value === 'object' ? value : { value: String(value) },
    ]),
  );
}
