import { orchestration } from '../environment/orchestration.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Answer, send, type Sent, type Server } from './server.ts';

/** A project of the test's own, provisioned by plain requests, with the environments dev, test and prod. */
export interface Project {
  readonly id: string;
  /** `/v1/projects/<id>` */
  readonly path: string;
  /** A request below the project's path. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Publishes an artifact, by default to dev. */
  publish(
    versionName: string,
    files?: Readonly<Record<string, string>>,
    environmentName?: string,
  ): Promise<Answer>;
  /** Waits until an execution has ended, and gives its last record. */
  untilEnded(executionId: string): Promise<Record<string, unknown>>;
}

/** An orchestration with enough components in a row that it still runs when the next request arrives. */
export const longOrchestration = (() => {
  const steps = Array.from({ length: 80 }, (_, i) => [
    `    Step ${String(i)}:`,
    '      type: "sql-executor"',
    `      transitions: { success: ["${i === 79 ? 'Done' : `Step ${String(i + 1)}`}"] }`,
  ]).flat();
  return [
    'type: "orchestration"',
    'version: "1.0"',
    'pipeline:',
    '  components:',
    '    Start: { type: "start", transitions: { unconditional: ["Step 0"] } }',
    ...steps,
    '    Done: { type: "end-success" }',
    '',
  ].join('\n');
})();

export const pipelines = { 'daily/load.orch.yaml': orchestration, 'daily/long.orch.yaml': longOrchestration };

/** One form part for each file, its key the path. */
export function form(files: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [path, content] of Object.entries(files))
    data.append(path, new Blob([content], { type: 'text/plain' }), path.split('/').at(-1));
  return data;
}

/** One field of an object that came back. */
export function fieldOf(body: unknown, ...names: readonly string[]): unknown {
  let found = body;
  for (const name of names) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, name) as unknown;
  }
  return found;
}

/** The `results` of a paged answer. */
export function resultsOf(answer: Answer): Record<string, unknown>[] {
  const results = fieldOf(answer.body, 'results');
  if (!Array.isArray(results)) throw new Error(`No results came: ${JSON.stringify(answer.body)}`);
  return results as Record<string, unknown>[];
}

export const projectBody = (server: Server, name = `conformance ${randomUUID()}`) => ({
  name,
  description: 'Made by the conformance suite',
  warehouse: server.warehouses[0],
  agentDeploymentType: 'HYBRID',
});

export const connectionBody = (server: Server, name = 'main') => ({
  name,
  platformConnectionType: 'dwh',
  authProvider: server.warehouses[0].toLowerCase(),
  authType: 'key_pair',
});

export const environmentBody = (server: Server, name: string) => ({
  name,
  displayName: `The ${name} environment`,
  description: 'Made by the conformance suite',
  defaultAgentId: server.agent,
  defaultUserAccessLevel: 'default',
  defaultConnections: { DWH: { [server.warehouses[0].toLowerCase()]: 'main' } },
  connectionOverrides: [
    {
      connectionName: 'main',
      connectionProperties: {
        account: { value: 'account' },
        username: { value: `loader_${name}` },
        defaultRole: { value: 'LOADER' },
        defaultWarehouse: { value: `WH_${name}` },
        defaultDatabase: { value: 'RAW' },
        defaultSchema: { value: 'PUBLIC' },
        privateKey: { secretName: 'loader-key' },
        passphrase: { secretName: 'loader-passphrase', secretKey: 'value' },
      },
    },
  ],
});

/** Creates a project with one connection and three environments. */
export async function provision(server: Server): Promise<Project> {
  const created = await send(server, 'POST', '/v1/projects', { body: projectBody(server) });
  expect(created.status).toBe(201);
  const id = String(fieldOf(created.body, 'projectId'));
  const path = `/v1/projects/${id}`;
  const below: Project['send'] = (method, rest, sent) => send(server, method, `${path}${rest}`, sent);
  expect((await below('POST', '/data-platform-connections', { body: connectionBody(server) })).status).toBe(
    201,
  );
  for (const name of ['dev', 'test', 'prod'])
    expect((await below('POST', '/environments', { body: environmentBody(server, name) })).status).toBe(201);
  return {
    id,
    path,
    send: below,
    publish: (versionName, files = pipelines, environmentName = 'dev') =>
      below('POST', '/artifacts', {
        body: form(files),
        headers: { versionName, environmentName, commitHash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' },
      }),
    async untilEnded(executionId) {
      for (;;) {
        const { body } = await below('GET', `/pipeline-executions/${executionId}`);
        const record = fieldOf(body, 'result') as Record<string, unknown>;
        if (typeof record['finishedAt'] === 'string') return record;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
