import { randomUUID } from 'node:crypto';
import type { Client } from '../../client/index.ts';

const environments = ['dev', 'test', 'prod'];

/** Creates a project with a warehouse connection, three environments and the repository, in the call order of spec §4.1. */
export async function provision(client: Client): Promise<string> {
  const { projectId } = await client.projects.create({
    name: 'warehouse',
    description: 'The warehouse of the demo',
    warehouse: 'WAREHOUSE_ONE',
    agentDeploymentType: 'HYBRID',
  });
  await client.connections.create({
    projectId,
    name: 'warehouse',
    platformConnectionType: 'dwh',
    authProvider: 'warehouse_one',
    authType: 'key_pair',
  });
  for (const name of environments) {
    await client.environments.create({
      projectId,
      name,
      displayName: name,
      defaultAgentId: randomUUID(),
      defaultUserAccessLevel: 'default',
      defaultConnections: { DWH: { warehouse_one: 'warehouse' } },
      connectionOverrides: [{ connectionName: 'warehouse', connectionProperties: propertiesOf(name) }],
    });
  }
  await client.repositories.link({
    projectId,
    provider: 'git-host',
    providerParameters: { ownerName: 'demo' },
    repositoryName: 'warehouse',
  });
  return projectId;
}

/** Connection properties: a separate database for each environment, and only names of secrets. */
function propertiesOf(environment: string) {
  const value = (text: string) => ({ value: text });
  return {
    account: value('example-account'),
    username: value(`loader_${environment}`),
    defaultRole: value('LOADER'),
    defaultWarehouse: value('LOADING'),
    defaultDatabase: value(`SALES_${environment.toUpperCase()}`),
    defaultSchema: value('PUBLIC'),
    privateKey: { secretName: `loader-key-${environment}` },
  };
}
