import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { check } from '../refusal/guard.ts';
import { localActor, recordEffect } from '../world/effect.ts';
import { listRunners, requireRunner, type RunnerState, setRunnerState } from '../world/runners.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import { answer } from './answer.ts';

/** What each action of §6 makes of a runner, and `stop`. A restart ends a pause. */
const actions = {
  start: { state: 'running', description: 'was started' },
  restart: { state: 'running', description: 'was restarted' },
  pause: { state: 'paused', description: 'was paused' },
  stop: { state: 'stopped', description: 'was stopped' },
  'refresh-credentials': { state: undefined, description: 'refreshed its credentials' },
} as const satisfies Record<
  string,
  { readonly state: RunnerState | undefined; readonly description: string }
>;

const path = z.object({
  id: z.string(),
  action: z.enum(['start', 'restart', 'pause', 'stop', 'refresh-credentials']),
});

/** Starts, pauses and stops the runners that the seed lists. Each action is an event of §6. */
export function registerRunners(scope: FastifyInstance, world: World): void {
  scope.post('/runners/:id/:action', (request, reply) => {
    const { id, action } = check(request, path, request.params);
    const { store, seed } = world;
    if (listRunners(store, seed).length === 0)
      throw refuse(409, 'The seed lists no runners (`agents`), so every id exists and always runs.');
    const runner = requireRunner(store, seed, id);
    const { state, description } = actions[action];
    store.transaction(() => {
      if (state !== undefined) setRunnerState(store, runner.id, state);
      recordEffect(world, {
        operation: '_platform/runners',
        caller: localActor,
        requestId: request.id,
        effect: 'changed',
        subject: { type: 'agent', id: runner.id, name: runner.name },
        description: `Runner "${runner.name}" ${description}`,
        event: 'Agent Action',
      });
    });
    world.executions.runnerChanged(runner.id);
    return answer(request, reply, { page: 'runners', value: { runners: listRunners(store, seed) } });
  });
}
