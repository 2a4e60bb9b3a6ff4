import type { PlatformContext } from '../../flows/context/context.ts';
import type { ProjectSource } from '../../flows/project/project-files.ts';
import { uploadLimitMs } from '../../lib/core/time-limits.ts';
import type { Session } from './session.ts';

interface Ways<Report> {
  readonly publish: (context: PlatformContext) => Promise<Report>;
  /** What would be sent, without the platform. */
  readonly plan: () => Promise<Report>;
}

/** Publishes; a dry run without a token, or without knowing where the platform is, still shows what would be sent. */
export async function publication<Report extends { readonly unchecked?: readonly string[] }>(
  session: Session,
  dryRun: boolean,
  { publish, plan }: Ways<Report>,
): Promise<Report> {
  const missing = dryRun ? await session.missingSettings() : [];
  if (missing.length === 0) return session.withPlatform(publish, uploadLimitMs);
  const report = await plan();
  session.output.logger.warn(
    `The platform was not asked, as ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Not checked: ${(report.unchecked ?? []).join('; ')}.`,
  );
  return report;
}

/** Says on stderr which changes on disk are no part of what is published. */
export async function remarkUncommitted({ io, output }: Session, source: ProjectSource): Promise<void> {
  const { describeUncommitted, uncommittedFiles } = await import('../../flows/project/uncommitted-files.ts');
  const said = describeUncommitted(await uncommittedFiles(source, io.signal));
  if (said !== undefined) output.logger.warn(said);
}
