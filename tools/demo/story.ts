import { endOfTheStory } from './chapters/end-of-the-story.ts';
import { nothingTwice } from './chapters/nothing-twice.ts';
import { project } from './chapters/project.ts';
import { promotion } from './chapters/promotion.ts';
import { pullRequest } from './chapters/pull-request.ts';
import { releaseOfVersion } from './chapters/release.ts';
import { rollBack } from './chapters/roll-back.ts';
import type { Plot } from './plot.ts';

/** The main job from beginning to end. Gives the worker's address, for those who want to look around afterwards. */
export async function tellStory(
  plot: Plot,
): Promise<{ readonly workerUrl: string; readonly projectId: string }> {
  const projectId = await project(plot);
  await pullRequest(plot, projectId);
  const first = await releaseOfVersion(plot, 'v1.0.0');
  const { worker, delivery } = await promotion(plot, { projectId, tag: 'v1.0.0', commit: first });
  await nothingTwice(plot, { projectId, workerUrl: worker.url, delivery, tag: 'v1.0.0', commit: first });
  await rollBack(plot, { projectId, workerUrl: worker.url });
  await endOfTheStory(plot, projectId);
  return { workerUrl: worker.url, projectId };
}
