import type { Ids } from '../random/ids.ts';
import type { ReadySeed } from './seed-schema.ts';

/** Adds all ids and tokens that callers may store, so that planting the seed again creates the same ones. */
export function fillSeed(seed: ReadySeed, ids: Ids): ReadySeed {
  // The seed’s runners exist; without any, every id does.
  const runner = () => Object.keys(seed.agents)[0] ?? ids.uuid();
  return {
    ...seed,
    projects: seed.projects.map((project) => ({
      ...project,
      id: project.id ?? ids.uuid(),
      environments: project.environments.map((entry) => {
        const environment = typeof entry === 'string' ? { name: entry } : entry;
        return { ...environment, defaultAgentId: environment.defaultAgentId ?? runner() };
      }),
      streamingPipelines: project.streamingPipelines.map((pipeline) => ({
        ...pipeline,
        id: pipeline.id ?? ids.uuid(),
        agentId: pipeline.agentId ?? runner(),
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
