import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOut } from '../../runner/check-out.ts';
import { runWorkflowJob } from '../../runner/run-workflow-job.ts';
import { createActionEnvironment, repository } from '../action-environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const pipeline = (name: string) =>
  `pipeline:\n  components:\n    Start: { type: start, transitions: { success: ["${name}"] } }\n    ${name}: { type: end-success }\n`;

test.each([
  ['Done', 'success', 'no findings'],
  ['done badly', 'failure', 'component-naming-convention'],
])(
  'the example workflow with local: true reviews a component "%s" without a platform: %s',
  async (name, end, message) => {
    await using testEnvironment = await createActionEnvironment({
      'millrace.yaml': 'version: 1\n',
      '.platform/config/pipeline_quality_rules.yaml':
        'rules:\n  - { id: component-naming-convention, enabled: true, enforcementLevel: error, config: { regexMatchPattern: "[A-Z][a-z]*" } }\n',
      'a.orch.yaml': pipeline('End'),
    });
    await testEnvironment.builder.commit('feature/x', { 'a.orch.yaml': pipeline(name) }, { from: 'main' });
    const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
    const { mergeSha: sha, ...event } = await testEnvironment.github.events.pullRequest(repository, number);
    const ref = `refs/pull/${String(number)}/merge`;
    const workspace = await mkdtemp(join(testEnvironment.folder, 'workspace-'));
    await checkOut({ remote: testEnvironment.builder.path, folder: workspace, sha, ref, depth: 0 });
    // The action of this clone in place of the one that users name.
    const example = await readFile(join(root, 'examples', 'workflows', 'review-local.yml'), 'utf8');
    const file = join(testEnvironment.folder, 'review-local.yml');
    await writeFile(file, example.replace(/your-account\/millrace\/(\S+)@0{40}/, './$1'));

    const { steps, log } = await runWorkflowJob({
      file,
      job: 'review',
      root,
      workspace,
      event,
      eventName: 'pull_request',
      ref,
      sha,
      repository,
      repositoryId: testEnvironment.github.repository(repository).id,
      apiUrl: testEnvironment.github.apiUrl,
      serverUrl: testEnvironment.github.url,
      token: 'writer',
    });

    expect(steps).toEqual({ review: end });
    expect(log).toContain(message);
    expect(testEnvironment.platform.requests().requests).toEqual([]);
  },
);
