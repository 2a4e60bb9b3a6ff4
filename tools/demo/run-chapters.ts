import { summary } from './chapters/summary.ts';
import { idempotency } from './chapters/idempotency.ts';
import { project } from './chapters/project.ts';
import { promotion } from './chapters/promotion.ts';
import { pullRequest } from './chapters/pull-request.ts';
import { releaseTag } from './chapters/release.ts';
import { rollBack } from './chapters/roll-back.ts';
import type { Demo } from './demo.ts';

/** Runs all chapters of the demo. Returns the worker's address and the project id for `--keep`. */
export async function runChapters(
  demo: Demo,
): Promise<{ readonly workerUrl: string; readonly projectId: string }> {
  const projectId = await project(demo);
  await pullRequest(demo, projectId);
  const first = await releaseTag(demo, 'v1.0.0');
  const { worker, delivery } = await promotion(demo, { projectId, tag: 'v1.0.0', commit: first });
  await idempotency(demo, { projectId, workerUrl: worker.url, delivery, tag: 'v1.0.0', commit: first });
  await rollBack(demo, { projectId, workerUrl: worker.url });
  await summary(demo, projectId);
  return { workerUrl: worker.url, projectId };
}
