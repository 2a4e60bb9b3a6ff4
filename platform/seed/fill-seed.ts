import type { Ids } from '../random/ids.ts';
import type { ReadySeed } from './seed-schema.ts';

/** Adds all ids and tokens that callers may store, so that planting the seed again creates the same ones. */
export function fillSeed(seed: ReadySeed, ids: Ids): ReadySeed {
  return {
    ...seed,
    projects: seed.projects.map((project) => ({
      ...project,
      id: project.id ?? ids.uuid(),
      environments: project.environments.map((entry) => {
        const environment = typeof entry === 'string' ? { name: entry } : entry;
        return { ...environment, defaultAgentId: environment.defaultAgentId ?? ids.uuid() };
      }),
      streamingPipelines: project.streamingPipelines.map((pipeline) => ({
        ...pipeline,
        id: pipeline.id ?? ids.uuid(),
        agentId: pipeline.agentId ?? ids.uuid(),
      })),
    })),
    credentials: seed.credentials.map((credential) => ({
      ...credential,
      token: credential.token ?? ids.token('local'),
      ...(credential.clientId === undefined
        ? {}
        : { clientSecret: credential.clientSecret ?? ids.token('secret') }),
    })),
  };
}
