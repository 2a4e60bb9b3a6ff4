import { notFound, ok } from '../answers/answer.ts';
import type { ChangedFile } from '../git/bare-repository.ts';
import { describePull } from '../state/describe.ts';
import { page, type Call, type Route } from './route.ts';
import type { PullRequest } from '../state/state.ts';
import { zeroPastLimit } from './zero-past-limit.ts';

/** GitHub's ceiling for the list of changed files. */
const maximumFiles = 3000;

function pullOf(call: Call): PullRequest {
  const pull = call.repository.pulls.find(({ number }) => String(number) === call.params['number']);
  if (pull === undefined) throw notFound();
  return pull;
}

/** Routes for pull requests and their files. Head and base follow their branches. */
export const pullRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/pulls',
    needs: [['pull_requests', 'read']],
    async handle(call) {
      const requestedState = call.query.get('state') ?? 'open';
      const owner = call.repository.fullName.split('/')[0] ?? '';
      const shown = call.repository.pulls
        .filter(({ state }) => requestedState === 'all' || state === requestedState)
        .filter(({ headRef }) => [null, `${owner}:${headRef}`].includes(call.query.get('head')));
      return page(call, '/pulls', await Promise.all(shown.map((pull) => describePull(call, pull))));
    },
  },
  {
    method: 'GET',
    path: '/pulls/:number',
    needs: [['pull_requests', 'read']],
    async handle(call) {
      const pull = pullOf(call);
      const { mergeCommit, mergedAt = null } = pull;
      return ok({
        ...(await describePull(call, pull)),
        merged: mergeCommit !== undefined,
        merged_at: mergedAt,
        // For an open pull request, it is a commit that GitHub creates to try the merge.
        merge_commit_sha: mergeCommit ?? 'e'.repeat(40),
      });
    },
  },
  {
    method: 'GET',
    path: '/pulls/:number/files',
    needs: [['pull_requests', 'read']],
    async handle(call) {
      const pull = pullOf(call);
      const { git } = call.repository;
      const { head, base } = await describePull(call, pull);
      const relation = await git.relation(base.sha, head.sha);
      if (relation === undefined) throw notFound();
      const files = (await git.changed(relation.merge, head.sha)).slice(0, maximumFiles);
      const shown = page(call, `/pulls/${String(pull.number)}/files`, files);
      return { ...shown, body: zeroPastLimit(shown.body as ChangedFile[]) };
    },
  },
  {
    method: 'GET',
    path: '/commits/:sha/pulls',
    needs: [['pull_requests', 'read']],
    async handle(call) {
      const all = await Promise.all(
        call.repository.pulls.map(async (pull) => ({
          ...(await describePull(call, pull)),
          user: { login: pull.author ?? 'octo', id: 1 },
          merge_commit_sha: pull.mergeCommit ?? null,
          merged_at: pull.mergedAt ?? null,
        })),
      );
      // The pull request whose merge brought the commit in, or those whose newest commit it is.
      const sha = call.params['sha'];
      return page(
        call,
        '/pulls',
        all.filter((pull) => pull.head.sha === sha || pull.merge_commit_sha === sha),
      );
    },
  },
  {
    method: 'GET',
    path: '/pulls/:number/reviews',
    needs: [['pull_requests', 'read']],
    handle(call) {
      const pull = pullOf(call);
      const reviews = (pull.reviews ?? []).map(({ login, id, state, commit, submittedAt }, index) => ({
        id: index + 1,
        user: { login, id, type: 'User' },
        body: '',
        state,
        commit_id: commit,
        submitted_at: submittedAt,
        author_association: 'MEMBER',
      }));
      return page(call, `/pulls/${String(pull.number)}/reviews`, reviews);
    },
  },
];
