import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { connectGitHub, type GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import { readTarget, type Target } from '../../../lib/github/workflow-run/event-target.ts';
import { buildRepository, type RepositoryBuilder } from './bare-repository-builder.ts';
import { type GitHub, startGitHub } from './start-github.ts';

export const repository = 'example/warehouse';

/** A repository with one pull request; its GitHub is a new one for each test. For use in tests only. */
export interface OneRepository {
  readonly folder: string;
  readonly builder: RepositoryBuilder;
  readonly github: GitHub;
  /** Commit of the pull request: two files changed or new, two deleted. */
  readonly head: string;
  readonly target: Target;
  /** `writer`, `person` (a user who may write), `publisher` (of contents) or `reader`; nothing waits by the clock. */
  connect(token: string): GitHubConnection;
}

/** Called at the top of a test file. */
export function oneRepository(): OneRepository {
  let folder: string;
  let builder: RepositoryBuilder;
  let github: GitHub;
  let head: string;
  let target: Target;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-one-repository-'));
    builder = await buildRepository(folder, repository);
    await builder.commit('main', {
      'a.orch.yaml': '1\n',
      'gone.orch.yaml': '2\n',
      'b.orch.yaml': 'x\ny\nz\n',
    });
    const changes = {
      'a.orch.yaml': '2\n',
      'gone.orch.yaml': null,
      'b.orch.yaml': null,
      'c d.orch.yaml': 'x\ny\nz\n',
    };
    head = await builder.commit('feature/x', changes, { from: 'main' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    const permissions = {
      contents: 'read',
      pull_requests: 'write',
      checks: 'write',
      statuses: 'write',
    } as const;
    github = await startGitHub({
      gitRoot: folder,
      tokens: {
        writer: { permissions },
        person: { login: 'octocat', permissions },
        publisher: { permissions: { contents: 'write' } },
        reader: { permissions: { contents: 'read', pull_requests: 'read' } },
      },
    });
    const number = github.openPull(repository, { head: 'feature/x', base: 'main' });
    const payload = await github.events.pullRequest(repository, number);
    const read = readTarget({
      eventName: 'pull_request',
      payload,
      ref: 'refs/pull/1/merge',
      sha: payload.mergeSha,
      repository,
      actor: 'octocat',
    });
    if (read === undefined) throw new Error('no target');
    target = read;
    return () => github.close();
  });

  return {
    get folder() {
      return folder;
    },
    get builder() {
      return builder;
    },
    get github() {
      return github;
    },
    get head() {
      return head;
    },
    get target() {
      return target;
    },
    connect(token) {
      const clock = { now: () => 0, sleep: async () => {} };
      return connectGitHub({ apiUrl: github.apiUrl, token, repository, clock });
    },
  };
}
