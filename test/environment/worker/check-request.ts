import { repositoryId, repositoryName } from './worker-environment.ts';

export interface CheckRequestOptions {
  readonly event?: 'check_run' | 'check_suite';
  readonly action?: string;
  readonly commit: string;
  readonly promotion?: string;
  readonly identifier?: string;
  readonly sender?: { readonly id: number; readonly login: string };
  readonly type?: string;
  readonly repository?: number;
}

/** A `check_run` or `check_suite` as GitHub tells of it. */
export function checkRequest(options: CheckRequestOptions) {
  const { event = 'check_run', action = 'rerequested', commit, promotion = '', identifier } = options;
  const app = { id: 4711, slug: 'millrace-test' };
  const suite = { id: 31, head_sha: commit, status: 'queued', conclusion: null, app };
  return {
    action,
    ...(event === 'check_suite'
      ? { check_suite: suite }
      : {
          check_run: {
            id: 32,
            name: 'millrace/to-test',
            head_sha: commit,
            external_id: promotion,
            status: 'completed',
            app,
            check_suite: suite,
          },
        }),
    ...(identifier === undefined ? {} : { requested_action: { identifier } }),
    repository: { id: options.repository ?? repositoryId, full_name: repositoryName },
    sender: { ...(options.sender ?? { id: 11, login: 'ada' }), type: options.type ?? 'User' },
    installation: { id: 9001 },
  };
}
