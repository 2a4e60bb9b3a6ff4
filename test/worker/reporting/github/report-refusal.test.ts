import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { createRefusalReporter } from '../../../../worker/reporting/github/report-refusal.ts';
import {
  createWorkerEnvironment,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';

test.each(['app', 'token'] as const)(
  'a commit shows the newest reason why nothing is promoted (%s)',
  async (as) => {
    const env = await createWorkerEnvironment({
      lanes: toTest,
      github: { app: testApp, tokens: { own: { permissions: { contents: 'read', statuses: 'write' } } } },
    });
    onTestFinished(() => env[Symbol.asyncDispose]());
    const { apiUrl } = env.github;
    const access =
      as === 'app' ? appAccess({ apiUrl, appId: testApp.id, privateKey: appKey }) : tokenAccess(() => 'own');
    const github = createGitHubPort({ apiUrl, access, clock: systemClock });
    const report = createRefusalReporter({ github, budget: { take: async () => 0 }, logger: silentLogger });
    const commit = await env.repository.commit('main', { 'notes.txt': '1' });
    const repository = { id: repositoryId, fullName: repositoryName };
    const writes = () =>
      env.github.requests.filter(({ method, path }) => method !== 'GET' && path.includes(repositoryName))
        .length;
    const shown = () =>
      as === 'app'
        ? env.github
            .repository(repositoryName)
            .checkRuns.map(({ conclusion, output }) => `${conclusion}: ${output?.title}`)
        : [env.status(commit, 'millrace/policy')];
    const bad = as === 'app' ? 'failure' : 'error';

    for (const reason of ['v1.0.0 is too early', 'v1.0.0 is too early', 'v1.0.1 is too late']) {
      await report(repository, commit, reason);
      expect(shown()).toEqual([`${bad}: ${reason}`]);
    }
    expect(writes()).toBe(2);
    await report(repository, commit, { since: 'v1.0.1 was promoted', insteadOf: 'v1.0.0 is' });
    expect(shown()).toEqual([`${bad}: v1.0.1 is too late`]);
    await report(repository, commit, { since: 'v1.0.1 was promoted', insteadOf: 'v1.0.1 is' });
    expect(shown()).toEqual(['success: v1.0.1 was promoted']);
  },
);
