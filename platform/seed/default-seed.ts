import { hasDuckdb } from '../../engine/index.ts';
import type { Seed } from './seed-schema.ts';

/**
 * The id of the default seed's project. It is fixed, so that a `millrace.yaml` with this id works after every
 * start.
 */
export const defaultProjectId = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';

/** The seed of a platform that is started without one: enough to publish, promote, run and review. */
export const defaultSeed: Seed = {
  projects: [
    {
      id: defaultProjectId,
      name: 'warehouse',
      description: 'The project of the default seed',
      connections: [{ name: 'warehouse-connection', authType: 'key_pair' }],
      environments: ['dev', 'test', 'prod'],
      repository: { ownerName: 'demo', repositoryName: 'warehouse' },
    },
  ],
  credentials: [
    { name: 'super-admin', role: 'superAdmin', clientId: 'super-admin' },
    { name: 'admin', role: 'admin' },
    { name: 'member', role: 'member' },
  ],
};

/** Creates the default seed. Its pipelines run if embedded DuckDB is installed, and are simulated otherwise. */
export async function newSeed(): Promise<Seed> {
  return { ...defaultSeed, settings: { execution: (await hasDuckdb()) ? 'engine' : 'simulate' } };
}
