import { Failure } from '../../lib/core/errors/failure.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { releaseVersion } from '../../lib/config/project/release-version.ts';
import { openRepository } from '../../lib/git/repository.ts';
import type { PlatformContext } from '../../flows/context/context.ts';
import { publishShared } from '../../flows/publish/publish-shared.ts';
import { publish } from '../../flows/publish/publish.ts';
import type { DemoEvidence } from './demo-evidence.ts';
import { releaseEnvironment } from '../publish/release-target.ts';

const settingsFile = 'millrace.yaml';

/**
 * Publishes a tag's commit and signs what it contains, as the release workflow of a repository does. Returns what it did, one sentence each. Throws what
 * `publish` and `publishShared` throw.
 */
export async function releaseTag(
  repositoryPath: string,
  { tag, commit }: { readonly tag: string; readonly commit: string },
  {
    environment,
    evidence,
    ...context
  }: PlatformContext & { readonly environment: NodeJS.ProcessEnv; readonly evidence?: DemoEvidence },
): Promise<readonly string[]> {
  const repository = await openRepository(repositoryPath, { environment, signal: context.signal });
  const text = await repository.readFile(commit, settingsFile);
  if (text === undefined) throw noSettings(commit);
  const config = readProjectConfig(text.toString('utf8'), settingsFile);
  const version = releaseVersion(config.release, tag, commit);
  if (version === undefined) return [`${tag} does not match release.tag in millrace.yaml: not published.`];
  const source = {
    repository,
    directory: '',
    commit,
    version,
    ...config.files,
    callFolder: config.callFolder,
    dryRun: false,
  };
  const target = releaseEnvironment(undefined, config);
  const artifact = await publish({ ...source, environment: target, connectors: false }, context);
  const { prefix } = config.release.shared ?? {};
  if (prefix !== undefined) await publishShared({ ...source, prefix, configDir: config.configDir }, context);
  if (artifact.outcome === 'already-done') return [`${version} is published already in ${target}.`];
  return [
    `Published ${version} to ${target}, as the release workflow of a repository does.`,
    ...((await evidence?.sign({ repository, config, tag, commit, version })) ?? []),
  ];
}

function noSettings(commit: string): Failure {
  return new Failure('config-missing', {
    message: `The commit ${commit.slice(0, 12)} has no ${settingsFile}.`,
    where: { file: settingsFile },
    hint: 'Push a commit with the file: without it, the worker does not know any lanes.',
  });
}
