import type { PlatformContext } from '../../flows/context/context.ts';
import type { ProjectSource } from '../../flows/project/project-files.ts';
import type { PublicationFacts } from '../../flows/publish/report.ts';
import { uploadLimitMs } from '../../lib/core/ports/time-limits.ts';
import type { Session } from '../kit/session.ts';

interface PublicationSteps<Published> {
  readonly publish: (context: PlatformContext) => Promise<Published>;
  /** Plans what would be sent, without calling the platform. */
  readonly plan: () => Promise<Published>;
}

/** Publishes the version. A dry run works without the platform's address and token: it shows what would be sent. */
export async function publishOrPlan<Published>(
  session: Session,
  source: ProjectSource & { readonly dryRun: boolean },
  { publish, plan }: PublicationSteps<Published>,
): Promise<{ readonly published: Published; readonly facts: PublicationFacts }> {
  const missing = source.dryRun ? await session.missingSettings() : [];
  const published = missing.length === 0 ? await session.withPlatform(publish, uploadLimitMs) : await plan();
  const { uncommittedFiles } = await import('../../flows/project/uncommitted-files.ts');
  const uncommitted = await uncommittedFiles(source, session.io.signal);
  return { published, facts: { directory: source.directory, missing, uncommitted } };
}
