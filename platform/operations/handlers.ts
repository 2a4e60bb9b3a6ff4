import { artifacts } from './artifacts.ts';
import { audit } from './audit.ts';
import { connectors } from './connectors.ts';
import { environments } from './environments.ts';
import { executions } from './executions.ts';
import type { Handlers } from './handler.ts';
import { overrides } from './overrides.ts';
import { projects } from './projects.ts';
import { publishedPipelines } from './published-pipelines.ts';
import { reviews } from './reviews.ts';
import { sharedArtifacts } from './shared-artifacts.ts';
import { sharedPipelines } from './shared-pipelines.ts';
import { streamingPipelines } from './streaming-pipelines.ts';
import { variables } from './variables.ts';

/** One handler for each operation of the contract; the type requires all of them. */
export const handlers: Handlers = {
  ...projects,
  ...environments,
  ...streamingPipelines,
  ...artifacts,
  ...connectors,
  ...publishedPipelines,
  ...executions,
  ...reviews,
  ...variables,
  ...overrides,
  ...audit,
  ...sharedPipelines,
  ...sharedArtifacts,
};
