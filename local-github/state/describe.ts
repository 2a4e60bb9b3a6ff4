import { openGitObjects } from '../git/git-objects.ts';
import type { Repository, PullRequest, State } from './state.ts';

/** The context that every description needs. */
export interface Place {
  readonly state: State;
  readonly repository: Repository;
  readonly url: string;
  readonly apiUrl: string;
}

export interface RepositoryDescription {
  readonly id: number;
  readonly node_id: string;
  readonly name: string;
  readonly full_name: string;
  readonly private: boolean;
  readonly fork: boolean;
  readonly owner: { readonly login: string };
  readonly default_branch: string;
  readonly html_url: string;
  readonly url: string;
}

export async function describeRepository(place: Omit<Place, 'state'>): Promise<RepositoryDescription> {
  const { repository, url, apiUrl } = place;
  const [owner = '', name = ''] = repository.fullName.split('/');
  return {
    id: repository.id,
    node_id: `R_${String(repository.id)}`,
    name,
    full_name: repository.fullName,
    private: true,
    fork: false,
    owner: { login: owner },
    default_branch: await repository.git.defaultBranch(),
    html_url: `${url}/${repository.fullName}`,
    url: `${apiUrl}/repos/${repository.fullName}`,
  };
}

export interface PullDescription {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly html_url: string;
  readonly head: { ref: string; sha: string; repo: RepositoryDescription };
  readonly base: { ref: string; sha: string; repo: RepositoryDescription };
}

/**
 * A pull request as GitHub shows it; brings `refs/pull/N/head` (the fork's commit, too) up to date first. The head of a
 * deleted branch, and the base of a merged pull request, stay as they were.
 */
export async function describePull(place: Place, pull: PullRequest): Promise<PullDescription> {
  const { repository, state } = place;
  const headRepository = state.repository(pull.headRepository);
  const ref = `refs/pull/${String(pull.number)}/head`;
  const last = await repository.git.commit(ref);
  const sha = (await headRepository.git.commit(`refs/heads/${pull.headRef}`)) ?? last ?? '';
  if (last !== sha) {
    if (headRepository === repository) openGitObjects(repository.git.path).setRef(ref, sha);
    else await repository.git.git('fetch', '--quiet', headRepository.git.path, `+${sha}:${ref}`);
  }
  return {
    number: pull.number,
    title: pull.title,
    state: pull.state,
    html_url: `${place.url}/${repository.fullName}/pull/${String(pull.number)}`,
    head: {
      ref: pull.headRef,
      sha,
      repo: await describeRepository({ ...place, repository: headRepository }),
    },
    base: {
      ref: pull.baseRef,
      sha: await baseOf(repository, pull),
      repo: await describeRepository(place),
    },
  };
}

async function baseOf({ git }: Repository, { baseRef, mergeCommit }: PullRequest): Promise<string> {
  const before = mergeCommit === undefined ? undefined : await git.commit(`${mergeCommit}^1`);
  return before ?? (await git.commit(`refs/heads/${baseRef}`)) ?? '';
}
