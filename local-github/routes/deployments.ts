import { z } from 'zod';
import { created, invalid, notFound, ok } from '../answers/answer.ts';
import { page, readBody, type Call, type Route } from './route.ts';
import type { Deployment } from '../state/state.ts';

const creation = z.object({
  ref: z.string().min(1),
  environment: z.string().default('production'),
  description: z.string().max(140).nullish(),
  payload: z.unknown().optional(),
  auto_merge: z.boolean().default(true),
  required_contexts: z.array(z.string()).optional(),
  transient_environment: z.boolean().default(false),
  production_environment: z.boolean().optional(),
});

const statusCreation = z.object({
  state: z.enum(['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']),
  description: z.string().max(140).default(''),
  log_url: z.url().optional(),
  environment_url: z.url().optional(),
  auto_inactive: z.boolean().default(true),
});

function deploymentOf(call: Call): Deployment {
  const deployment = call.repository.deployments.find(({ id }) => String(id) === call.params['id']);
  if (deployment === undefined) throw notFound();
  return deployment;
}

/**
 * `auto_inactive`, as GitHub documents it: "adds a new `inactive` status to all prior non-transient, non-production
 * environment deployments with the same repository and environment name", where their state is `success`.
 */
function closePrior(call: Call, deployment: Deployment): void {
  for (const prior of call.repository.deployments) {
    if (prior === deployment) return;
    const isMeant =
      prior.environment === deployment.environment &&
      !prior.transient_environment &&
      !prior.production_environment;
    if (isMeant && prior.statuses.at(-1)?.state === 'success')
      prior.statuses.push({ id: call.state.nextId(), state: 'inactive', description: '' });
  }
}

function describe(deployment: Deployment): Omit<Deployment, 'statuses'> & { readonly node_id: string } {
  const { statuses: _, ...shown } = deployment;
  return { ...shown, node_id: `DE_${String(deployment.id)}` };
}

export const deploymentRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/deployments',
    needs: [['deployments', 'write']],
    async handle(call) {
      const input = readBody(creation, call.body);
      const sha = await call.repository.git.commit(input.ref);
      if (sha === undefined) throw invalid(`No ref found for: ${input.ref}`);
      const deployment: Deployment = {
        id: call.state.nextId(),
        sha,
        ref: input.ref,
        environment: input.environment,
        description: input.description ?? null,
        payload: input.payload ?? {},
        transient_environment: input.transient_environment,
        // GitHub's default: true for this name only.
        production_environment: input.production_environment ?? input.environment === 'production',
        statuses: [],
      };
      call.repository.deployments.push(deployment);
      return created(describe(deployment));
    },
  },
  {
    method: 'GET',
    path: '/deployments',
    needs: [['deployments', 'read']],
    handle(call) {
      const fits = (deployment: Deployment): boolean =>
        (['sha', 'ref', 'environment'] as const).every((key) =>
          [null, deployment[key]].includes(call.query.get(key)),
        );
      return page(call, '/deployments', call.repository.deployments.filter(fits).toReversed().map(describe));
    },
  },
  {
    method: 'GET',
    path: '/deployments/:id',
    needs: [['deployments', 'read']],
    handle: (call) => ok(describe(deploymentOf(call))),
  },
  {
    method: 'POST',
    path: '/deployments/:id/statuses',
    needs: [['deployments', 'write']],
    handle(call) {
      const input = readBody(statusCreation, call.body);
      const { auto_inactive: closesPrior, ...shown } = input;
      const status = { id: call.state.nextId(), ...shown };
      const deployment = deploymentOf(call);
      deployment.statuses.push(status);
      if (input.state === 'success' && closesPrior) closePrior(call, deployment);
      return created(status);
    },
  },
  {
    method: 'GET',
    path: '/deployments/:id/statuses',
    needs: [['deployments', 'read']],
    handle: (call) =>
      page(
        call,
        `/deployments/${call.params['id'] ?? ''}/statuses`,
        deploymentOf(call).statuses.toReversed(),
      ),
  },
];
