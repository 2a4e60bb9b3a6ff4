import { NotFound } from '../../client/index.ts';
import { closestWord } from '../../lib/core/closest-word.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { PlatformContext } from './context.ts';
import { requireEnvironment } from './require-environment.ts';

/** What a call names. Each name may be misspelled. */
export interface CalledNames {
  /** The environments, by the inputs that name them. */
  readonly environments: Readonly<Record<string, string>>;
  /** A version, and the environment that must have it. */
  readonly version?: { readonly name: string; readonly environment: string } | undefined;
}

/** A list of more versions is not read for a message. */
const maxVersions = 500;

/**
 * Does `work`. If the platform answers 404, it finds out which of the names does not exist, and throws Failure 'not-found' with that
 * name and the closest that exists. Throws the client's error if all names exist or cannot be listed.
 */
export async function explainNotFound<Result>(
  names: CalledNames,
  context: PlatformContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await requireNames(names, context).catch((reason: unknown) => {
      // An error of the lists says less than the first one.
      if (reason instanceof Failure && reason.code === 'not-found' && !(reason instanceof NotFound))
        throw reason;
    });
    throw error;
  }
}

async function requireNames({ environments, version }: CalledNames, context: PlatformContext): Promise<void> {
  for (const [input, name] of Object.entries(environments)) await requireEnvironment(name, context, input);
  if (version === undefined) return;
  const { client, projectId, signal } = context;
  const { name, environment } = version;
  const known = new Set<string>();
  const list = client.artifacts.list(
    { projectId, environmentName: environment, includeDisabled: true, size: 100 },
    { signal },
  );
  for await (const found of list) {
    // A deployment that ignores the filter returns all environments.
    if (found.environmentName === environment) known.add(found.versionName);
    if (known.size >= maxVersions) break;
  }
  if (!known.has(name)) throw missingVersion(name, environment, known);
}

/** @param known the versions of the environment */
export function missingVersion(version: string, environment: string, known: Iterable<string>): Failure {
  const near = closestWord(version, known);
  return new Failure('not-found', {
    message: `Version ${version} is not in ${environment}.`,
    where: { input: 'version' },
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}Publish it to ${environment} first, or check the name: \`millrace api artifacts.list --param environmentName=${environment}\` lists its versions.`,
  });
}
