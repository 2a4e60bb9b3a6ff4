import type { PlatformContext } from '../../flows/context/context.ts';
import type { ProjectSource } from '../../flows/project/project-files.ts';
import { uploadLimitMs } from '../../lib/core/ports/time-limits.ts';
import type { Session } from '../kit/session.ts';

interface PublicationSteps<Report> {
  readonly publish: (context: PlatformContext) => Promise<Report>;
  /** Plans what would be sent, without calling the platform. */
  readonly plan: () => Promise<Report>;
}

/** Publishes. A dry run without the platform's address or a token still shows what would be sent. */
export async function publishOrPlan<Report extends { readonly unchecked?: readonly string[] }>(
  session: Session,
  dryRun: boolean,
  { publish, plan }: PublicationSteps<Report>,
): Promise<Report> {
  const missing = dryRun ? await session.missingSettings() : [];
  if (missing.length === 0) return session.withPlatform(publish, uploadLimitMs);
  const report = await plan();
  session.output.logger.warn(
    `The platform was not called, because ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Not checked: ${(report.unchecked ?? []).join('; ')}.`,
  );
  return report;
}

/** Warns about changes on disk that are not committed and therefore not published. */
export async function warnOfUncommitted({ io, output }: Session, source: ProjectSource): Promise<void> {
  const { describeUncommitted, uncommittedFiles } = await import('../../flows/project/uncommitted-files.ts');
  const warning = describeUncommitted(await uncommittedFiles(source, io.signal));
  if (warning !== undefined) output.logger.warn(warning);
}
