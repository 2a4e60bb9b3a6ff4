import { afterEach, beforeEach } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { createSharingEnvironment, type ActionEnvironment } from '../action-environment.ts';
import { warehouseFiles } from '../warehouse-files.ts';

export const publishedTag = 'refs/tags/v1.0.0';

/** For each test a project of three environments and two variables, whose commit has the tag `v1.0.0`. */
export function usePublishEnvironment(): {
  readonly testEnvironment: () => ActionEnvironment;
  /** The versions of an environment. */
  readonly versions: (environmentName: string) => Promise<readonly string[]>;
} {
  let testEnvironment: ActionEnvironment;
  beforeEach(async () => {
    testEnvironment = await createSharingEnvironment(warehouseFiles, {
      projects: [
        {
          id: '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b',
          name: 'warehouse',
          environments: ['dev', 'test', 'prod'],
          repository: { ownerName: 'demo', repositoryName: 'warehouse' },
          variables: [
            { name: 'bucket', type: 'TEXT', behaviour: 'SHARED', value: 'none', overrides: { dev: 'one' } },
            {
              name: 'day',
              type: 'TEXT',
              behaviour: 'SHARED',
              value: 'x',
              overrides: { dev: 'a', test: 'b' },
            },
          ],
        },
      ],
    });
    await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
  });
  afterEach(() => testEnvironment[Symbol.asyncDispose]());
  return {
    testEnvironment: () => testEnvironment,
    async versions(environmentName) {
      const { baseUrl, projectId, tokens } = testEnvironment.platform;
      await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
      const found: string[] = [];
      for await (const { versionName } of client.artifacts.list({ projectId, environmentName }))
        found.push(versionName);
      return found;
    },
  };
}
