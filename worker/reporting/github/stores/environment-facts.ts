import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';

/** What worker.yaml says about an environment of a repository. */
export interface EnvironmentFacts {
  /** Link for GitHub. */
  readonly url: string | undefined;
  /** People use it directly. GitHub then closes no earlier deployment by itself. */
  readonly isProduction: boolean;
  /** Several projects of the repository may have an environment of this name; GitHub knows only one. */
  readonly isShared: boolean;
}

/** GitHub's own default: this name only. */
const productionName = 'production';

export function environmentFacts(
  { repositories }: Pick<WorkerConfig, 'repositories'>,
  repositoryId: number,
  environment: string,
): EnvironmentFacts {
  const repository = repositories.find(({ id }) => id === repositoryId);
  return {
    url: repository?.['environment-urls'][environment],
    isProduction:
      environment === productionName ||
      repository?.['production-environments'].includes(environment) === true,
    isShared: (repository?.['working-directories'].length ?? 1) > 1,
  };
}
