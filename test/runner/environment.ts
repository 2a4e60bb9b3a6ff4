import type { Value } from './expression.ts';

/** What a workflow run is about. */
export interface RunFacts {
  readonly eventName: string;
  readonly repository: string;
  readonly repositoryId: number;
  readonly sha: string;
  readonly ref: string;
  /** Head and base branch of a pull request. */
  readonly headRef?: string;
  readonly baseRef?: string;
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly runId?: number;
  readonly runAttempt?: number;
  readonly actor?: string;
}

export interface RunPlaces {
  readonly workspace: string;
  readonly temp: string;
  readonly home: string;
  readonly eventPath: string;
}

/** The default variables that every step finds. */
export function defaultEnvironment(facts: RunFacts, places: RunPlaces): Record<string, string> {
  const [owner = ''] = facts.repository.split('/');
  const refName = facts.ref.replace(/^refs\/(?:heads|tags|pull)\//u, '');
  return {
    CI: 'true',
    HOME: places.home,
    LANG: 'C.UTF-8',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__self',
    GITHUB_ACTOR: facts.actor ?? 'octocat',
    GITHUB_API_URL: facts.apiUrl,
    GITHUB_BASE_REF: facts.baseRef ?? '',
    GITHUB_EVENT_NAME: facts.eventName,
    GITHUB_EVENT_PATH: places.eventPath,
    GITHUB_GRAPHQL_URL: facts.apiUrl.replace(/\/v3$/u, '/graphql'),
    GITHUB_HEAD_REF: facts.headRef ?? '',
    GITHUB_JOB: 'job',
    GITHUB_REF: facts.ref,
    GITHUB_REF_NAME: refName,
    GITHUB_REF_PROTECTED: 'false',
    GITHUB_REF_TYPE: facts.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    GITHUB_REPOSITORY: facts.repository,
    GITHUB_REPOSITORY_ID: String(facts.repositoryId),
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_RUN_ATTEMPT: String(facts.runAttempt ?? 1),
    GITHUB_RUN_ID: String(facts.runId ?? 1001),
    GITHUB_RUN_NUMBER: '1',
    GITHUB_SERVER_URL: facts.serverUrl,
    GITHUB_SHA: facts.sha,
    GITHUB_TRIGGERING_ACTOR: facts.actor ?? 'octocat',
    GITHUB_WORKFLOW: 'workflow',
    GITHUB_WORKSPACE: places.workspace,
    RUNNER_ARCH: 'X64',
    RUNNER_ENVIRONMENT: 'self-hosted',
    RUNNER_NAME: 'stand-in',
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: places.temp,
    RUNNER_TOOL_CACHE: places.temp,
  };
}

/** The `github` context of expressions, as far as an action may ask. */
export function githubContext(
  environment: Readonly<Record<string, string>>,
  more: { token: string; actionPath: string },
): Record<string, Value> {
  const names = [
    'ref',
    'ref_name',
    'ref_type',
    'sha',
    'repository',
    'event_name',
    'head_ref',
    'base_ref',
    'run_id',
  ];
  names.push('run_attempt', 'server_url', 'api_url', 'workspace', 'actor', 'job', 'workflow');
  return {
    ...Object.fromEntries(names.map((name) => [name, environment[`GITHUB_${name.toUpperCase()}`] ?? ''])),
    token: more.token,
    action_path: more.actionPath,
  };
}
