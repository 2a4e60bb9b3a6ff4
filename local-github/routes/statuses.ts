import { z } from 'zod';
import { created, invalid, ok } from '../answers/answer.ts';
import { page, readBody, type Call, type Route } from './route.ts';
import type { CommitStatus } from '../state/state.ts';

const creation = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  target_url: z.url({ protocol: /^https?$/u }).nullish(),
  description: z.string().nullish(),
  context: z.string().min(1).max(255).default('default'),
});

/** GitHub keeps at most this many statuses for one commit and context. */
const maximumStatuses = 1000;

/** GitHub's answer does not repeat the commit of a status. */
function describe(status: CommitStatus): Omit<CommitStatus, 'sha'> {
  const { sha: _, ...shown } = status;
  return shown;
}

async function newestFirst(call: Call): Promise<{ sha: string; statuses: CommitStatus[] }> {
  const ref = call.params['ref'] ?? '';
  const sha = await call.repository.git.commit(ref);
  if (sha === undefined) throw invalid(`No commit found for SHA: ${ref}`);
  return { sha, statuses: call.repository.statuses.filter((status) => status.sha === sha).toReversed() };
}

export const statusRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/statuses/:sha',
    needs: [['statuses', 'write']],
    async handle(call) {
      const { sha = '' } = call.params;
      const input = readBody(creation, call.body);
      if ((input.description ?? '').length > 140) {
        throw invalid('Validation Failed', [
          {
            resource: 'Status',
            code: 'custom',
            field: 'description',
            message: 'description is too long (maximum is 140 characters)',
          },
        ]);
      }
      if (!/^[0-9a-f]{40}$/u.test(sha) || (await call.repository.git.commit(sha)) === undefined) {
        throw invalid(`No commit found for SHA: ${sha}`);
      }
      const same = call.repository.statuses.filter((s) => s.sha === sha && s.context === input.context);
      if (same.length >= maximumStatuses) {
        throw invalid('This SHA and context has reached the maximum number of statuses.');
      }
      const status: CommitStatus = {
        id: call.state.nextId(),
        sha,
        state: input.state,
        context: input.context,
        description: input.description ?? null,
        target_url: input.target_url ?? null,
        created_at: call.state.now(),
      };
      call.repository.statuses.push(status);
      return created(describe(status));
    },
  },
  {
    method: 'GET',
    path: '/commits/:ref/statuses',
    needs: [['statuses', 'read']],
    async handle(call) {
      const { sha, statuses } = await newestFirst(call);
      return page(call, `/commits/${sha}/statuses`, statuses.map(describe));
    },
  },
  {
    method: 'GET',
    path: '/commits/:ref/status',
    needs: [['statuses', 'read']],
    async handle(call) {
      const { sha, statuses } = await newestFirst(call);
      const latest = [...new Map(statuses.toReversed().map((status) => [status.context, status])).values()];
      const states = latest.map(({ state }) => state);
      const failed = states.includes('error') || states.includes('failure');
      const state = failed
        ? 'failure'
        : states.includes('pending') || states.length === 0
          ? 'pending'
          : 'success';
      return ok({ state, sha, total_count: latest.length, statuses: latest.map(describe) });
    },
  },
];
