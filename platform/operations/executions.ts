import { recordEffect } from '../world/effect.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';
import { startPipeline } from './start-pipeline.ts';

/** Pipeline executions (spec §4.4, §3.2). */
export const executions: AreaHandlers<'executions'> = {
  'executions.start': startPipeline,

  'executions.get': ({ params, project }, world) => {
    const { status, message, startedAt, finishedAt } = find(world, project.id, params.pipelineExecutionId);
    return { result: { status, message, startedAt, finishedAt } };
  },

  'executions.terminate': ({ params, body, project, caller, operation, requestId }, world) => {
    const state = find(world, project.id, params.pipelineExecutionId);
    // A repeated termination has no effect while the execution ends, unless it is now forced.
    if (state.finishedAt === null && (state.status !== 'CANCELLING' || body.forceUpdate)) {
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'terminated',
        subject: { type: 'execution', id: state.id, name: state.pipeline },
        description: `Termination of the execution of "${state.pipeline}" was requested${body.forceUpdate ? ' with force' : ''}`,
      });
      world.executions.terminate(state.id, body.forceUpdate);
    }
    return { pipelineExecutionId: state.id };
  },
};

function find(world: World, projectId: string, id: string) {
  const state = world.executions.find(projectId, id);
  if (state === undefined) throw refuse(404, `The execution "${id}" does not exist.`);
  return state;
}
