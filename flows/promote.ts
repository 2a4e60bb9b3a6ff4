import { Failure } from '../model/failure.ts';
import type { PlatformContext } from './context.ts';
import { findArtifact } from './find-artifact.ts';
import { checkVersionName } from './version-name.ts';

export interface PromoteRequest {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
}

export interface PromoteReport {
  readonly outcome: 'passed' | 'already-done';
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
}

/**
 * Promotes a version from one environment to another (spec §4.3); only what is absent is sent.
 * Throws Failure 'version-disabled' where the target holds the version disabled (promoting would hide that
 * somebody took it out), 'outcome-unknown', and what the client throws.
 */
export async function promote(request: PromoteRequest, context: PlatformContext): Promise<PromoteReport> {
  const { version, from, to, dryRun } = request;
  checkVersionName(version);
  if (from === to) {
    throw new Failure('usage', {
      message: `A version cannot be promoted from "${from}" to itself.`,
      where: { input: 'to' },
    });
  }
  const there = await findArtifact(to, version, context);
  if (there?.enabled === false) {
    throw new Failure('version-disabled', {
      message: `Version ${version} is in ${to} already and disabled there.`,
      mend: `Enable it: millrace api artifacts.setEnabled --param environmentName=${to} --param versionName=${version} --param enabled=true`,
    });
  }
  if (there !== undefined) return { ...request, outcome: 'already-done' };
  if (dryRun) {
    await refuseMissing(request, context);
    return { ...request, outcome: 'passed' };
  }

  context.progress.step(`Promoting ${version} from ${from} to ${to}`);
  const { client, projectId, signal } = context;
  const input = { projectId, sourceEnvironmentName: from, targetEnvironmentName: to, versionName: version };
  await client.artifacts.promote(input, { signal });
  return { ...request, outcome: 'passed' };
}

/** A plan that cannot succeed says so. */
async function refuseMissing({ version, from }: PromoteRequest, context: PlatformContext): Promise<void> {
  const source = await findArtifact(from, version, context);
  if (source?.enabled === true) return;
  throw new Failure(source === undefined ? 'not-found' : 'version-disabled', {
    message: `Version ${version} is ${source === undefined ? 'not in' : 'disabled in'} ${from}.`,
    where: { input: 'version' },
  });
}
