import type { Narrator } from './narrator.ts';
import { endOfTheStory } from './chapters/end-of-the-story.ts';
import { nothingTwice } from './chapters/nothing-twice.ts';
import { project } from './chapters/project.ts';
import { promotion } from './chapters/promotion.ts';
import { pullRequest } from './chapters/pull-request.ts';
import { releaseOfVersion } from './chapters/release.ts';
import { rollBack } from './chapters/roll-back.ts';
import type { Stage } from './stage.ts';

/** What later chapters need to know of earlier ones, and the rows of the table at the end. */
export interface Plot {
  readonly stage: Stage;
  readonly tell: Narrator;
  /** What happened, who did it, how it ended. */
  readonly rows: [what: string, by: string, end: string][];
  readonly signal: AbortSignal;
}

/** A promise of the story that did not hold: the demo then ends with exit code 1. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Fails the story where something is not as it was told. */
export function expectThat(holds: boolean, sentence: string): void {
  if (!holds) throw new BrokenPromise(`This should have held and did not: ${sentence}`);
}

/** The main job from beginning to end. Gives the worker's address, for those who want to look around afterwards. */
export async function tellStory(
  plot: Plot,
): Promise<{ readonly workerUrl: string; readonly projectId: string }> {
  const projectId = await project(plot);
  await pullRequest(plot, projectId);
  const first = await releaseOfVersion(plot, 'v1.0.0');
  const worker = await plot.stage.startWorkerFor(projectId);
  const delivery = await promotion(plot, { projectId, workerUrl: worker.url, tag: 'v1.0.0', commit: first });
  await nothingTwice(plot, { projectId, workerUrl: worker.url, delivery, tag: 'v1.0.0', commit: first });
  await rollBack(plot, { projectId, workerUrl: worker.url });
  await endOfTheStory(plot, projectId);
  return { workerUrl: worker.url, projectId };
}
