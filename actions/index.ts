import type { Action, InputShape } from './kit/step/action.ts';
import { promote } from './promote/main.ts';
import { publish } from './publish/main.ts';
import { publishShared } from './publish-shared/main.ts';
import { review } from './review/main.ts';
import { rollback } from './rollback/main.ts';
import { comment } from './pull-request/comment.ts';
import { diff } from './diff/main.ts';
import { drift } from './drift/main.ts';
import { test } from './test/main.ts';
import { variables } from './variables/main.ts';
import { startJobProcess } from '../flows/pipeline-tests/run/start-job-process.ts';
import { run } from './run/main.ts';
import { startRunPost as startPost } from './run/post.ts';
import { startStep } from './kit/start-step.ts';

async function start<Shape extends InputShape>(action: Action<Shape>): Promise<void> {
  await startStep(action, process);
}

/**
 * The stubs in `dist/` call this and the following functions. All actions are in one bundle, with one function
 * each.
 */
export const startReview = (): Promise<void> => start(review);
export const startPublish = (): Promise<void> => start(publish);
export const startPublishShared = (): Promise<void> => start(publishShared);
export const startPromote = (): Promise<void> => start(promote);
export const startRun = (): Promise<void> => start(run);
export const startRollback = (): Promise<void> => start(rollback);
export const startDrift = (): Promise<void> => start(drift);
export const startComment = (): Promise<void> => start(comment);
export const startDiff = (): Promise<void> => start(diff);
export const startVariables = (): Promise<void> => start(variables);
export const startTest = (): Promise<void> => start(test);
/** Starts the post step of the action `run`. */
export const startRunPost = (): Promise<void> => startPost(process);
/** Not an action: a process that runs tests for one (decision 036). */
export { startJobProcess };
