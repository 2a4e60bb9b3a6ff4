import { repositoryId, repositoryName } from './worker-environment.ts';

export interface CommentOptions {
  readonly text: string;
  readonly action?: string;
  readonly author?: { readonly id: number; readonly login: string };
  readonly sender?: { readonly id: number; readonly login: string };
  readonly type?: string;
  /** Written by a program in the author's name. */
  readonly app?: boolean;
  readonly onIssue?: boolean;
  readonly pull?: number;
  readonly repository?: number;
  readonly createdAt?: string;
  /** GitHub's id of it. */
  readonly id?: number;
}

/** An `issue_comment` as GitHub delivers it. */
export function commentOn(options: CommentOptions) {
  const { text, action = 'created', author = { id: 11, login: 'ada' }, type = 'User', pull = 1 } = options;
  return {
    action,
    issue: {
      number: pull,
      ...(options.onIssue === true ? {} : { pull_request: { url: 'https://elsewhere.example' } }),
    },
    comment: {
      id: options.id ?? 4711,
      body: text,
      user: { ...author, type },
      created_at: options.createdAt ?? '2031-01-01T12:00:00Z',
      performed_via_github_app: options.app === true ? { id: 3 } : null,
    },
    repository: { id: options.repository ?? repositoryId, full_name: repositoryName },
    sender: { ...(options.sender ?? author), type },
  };
}
