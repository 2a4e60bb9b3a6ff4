import { meantHint } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { PlatformContext } from './context.ts';

/**
 * Checks that the project has the environment before its name is used elsewhere, because GitHub creates an
 * environment for any name. `input`: the input with the name. Throws Failure 'not-found' with the existing
 * environments, and what the client throws.
 */
export async function requireEnvironment(
  environment: string,
  { client, projectId, signal }: PlatformContext,
  input = 'environment',
): Promise<void> {
  const names: string[] = [];
  for await (const { name } of client.environments.list({ projectId, size: 100 }, { signal }))
    names.push(name);
  if (names.includes(environment)) return;
  throw unknownEnvironment(environment, names, input);
}

/**
 * The failure for an environment that the project does not have.
 * @param environments the environments of the project
 */
export function unknownEnvironment(
  environment: string,
  environments: readonly string[],
  input = 'environment',
): Failure {
  return new Failure('not-found', {
    message:
      environments.length === 0
        ? `The project has no environment "${environment}". It has no environments.`
        : `The project has no environment "${environment}". Its environments are ${environments.join(', ')}.`,
    where: { input },
    hint: meantHint(
      environment,
      environments,
      `Give the input ${input} the name of an environment of the project.${input === 'environment' ? ' A publish also reads release.environment in millrace.yaml.' : ''}`,
    ),
    details: { environment, known: environments },
  });
}
