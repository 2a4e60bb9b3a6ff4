/** An account on GitHub. */
export interface Account {
  readonly id: number;
  readonly login: string;
}

export interface NamedRepository {
  readonly id: number;
  /** owner/name */
  readonly name: string;
}

export interface PushFacts {
  readonly repository: NamedRepository;
  /** In full: `refs/tags/v1.2.0` */
  readonly ref: string;
  readonly before: string;
  /** Of an annotated tag, the id of the tag. */
  readonly after: string;
  /** The commit at the ref. */
  readonly commit: string;
  readonly sender: Account;
}

/** The body of a `push`, as far as GitHub's receivers read it. */
export function pushPayload({ repository, ref, before, after, commit, sender }: PushFacts): object {
  return {
    ref,
    before,
    after,
    created: isNone(before),
    deleted: isNone(after),
    forced: false,
    base_ref: null,
    commits: [],
    head_commit: isNone(after) ? null : { id: commit },
    repository: describeRepository(repository),
    pusher: { name: sender.login },
    sender: describeUser(sender),
  };
}

export interface CommentFacts {
  readonly repository: NamedRepository;
  readonly pull: number;
  /** GitHub's id of the comment. */
  readonly comment: number;
  readonly text: string;
  readonly author: Account;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The body of an `issue_comment`: a new comment on a pull request. */
export function commentPayload({ repository, pull, comment, text, author, at }: CommentFacts): object {
  return {
    action: 'created',
    issue: { number: pull, pull_request: {}, user: describeUser(author) },
    comment: {
      id: comment,
      body: text,
      user: describeUser(author),
      created_at: new Date(at).toISOString(),
    },
    repository: describeRepository(repository),
    sender: describeUser(author),
  };
}

export interface CheckRunFacts {
  readonly repository: NamedRepository;
  readonly commit: string;
  /** Its `external_id`. */
  readonly promotion: string;
  readonly sender: Account;
}

/** The body of a `check_run` after a click on "Re-run". */
export function rerunPayload({ repository, commit, promotion, sender }: CheckRunFacts): object {
  return {
    action: 'rerequested',
    check_run: { head_sha: commit, external_id: promotion, status: 'completed' },
    repository: describeRepository(repository),
    sender: describeUser(sender),
  };
}

/** The body of a `ping`, which GitHub sends when a webhook is created. */
export function pingPayload(url: string): object {
  return {
    zen: 'Keep it logically awesome.',
    hook_id: 1,
    hook: {
      type: 'Repository',
      id: 1,
      name: 'web',
      active: true,
      events: ['push', 'issue_comment'],
      config: { content_type: 'json', insecure_ssl: '0', url },
    },
  };
}

const isNone = (id: string): boolean => /^0+$/.test(id);

function describeRepository({ id, name }: NamedRepository): object {
  const [owner = '', short = ''] = name.split('/');
  return { id, name: short, full_name: name, private: true, owner: { login: owner } };
}

const describeUser = ({ id, login }: Account): object => ({ id, login, type: 'User' });
