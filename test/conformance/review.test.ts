import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import type { Point } from './points.ts';
import { fieldOf, provision } from './project.ts';
import { needsReview, openServer } from './server.ts';

const server = await openServer();
const need = needsReview(server);
const project = await provision(server);
const load = 'daily/load.orch.yaml';

if (server.review !== undefined) {
  const linked = await project.send('POST', '/repositories', {
    body: {
      provider: server.gitProvider,
      providerParameters: { ownerName: server.review.owner },
      repositoryName: server.review.name,
    },
  });
  if (linked.status !== 201)
    throw new Error(`The repository cannot be linked: ${JSON.stringify(linked.body)}`);
}

function review(
  branchName: string,
  pipelines: readonly string[] = [load],
  headers = { 'Agent-Version': '9.0.0' },
) {
  const commitId = server.review?.commits[branchName];
  return project.send('POST', '/reviews', { body: { branchName, commitId, pipelines }, headers });
}

/** The result of one rule for one file. */
async function resultOf(branch: string, ruleName: string, file = load): Promise<unknown> {
  const { status, body } = await review(branch, [file]);
  expect(status).toBe(200);
  const results = fieldOf(body, 'results', file);
  if (!Array.isArray(results)) throw new Error(`No result for ${file}: ${JSON.stringify(body)}`);
  return results.find((result) => fieldOf(result, 'ruleName') === ruleName);
}

conforms(
  ['POST /v1/projects/{projectId}/reviews', '§2.8 statuses of rules'],
  'each file is answered with each rule that is enabled: PASSED, or FAILED with violations',
  async () => {
    const { status, body } = await review('main');
    expect(status).toBe(200);
    expect(fieldOf(body, 'results', load)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ruleName: 'minimum-components', status: 'PASSED' }),
        expect.objectContaining({
          ruleName: 'maximum-components',
          status: 'FAILED',
          violations: [expect.any(String)],
        }),
      ]),
    );
  },
  need,
);

conforms(
  ['§2.8 reviewStatus follows the enforcement'],
  'a rule that fails at error fails the review, one that fails at warn does not',
  async () => {
    expect(fieldOf((await review('main')).body, 'reviewStatus')).toBe('FAILED');
    expect(await resultOf('warned', 'maximum-components')).toMatchObject({ status: 'FAILED' });
    expect(fieldOf((await review('warned')).body, 'reviewStatus')).not.toBe('FAILED');
  },
  need,
);

conforms(
  ['§2.8 excluded files'],
  'a file of another type is named as excluded and has no results',
  async () => {
    const { body } = await review('main', [load, 'notes.md']);
    expect(fieldOf(body, 'excludedFiles')).toEqual(['notes.md']);
    expect(Object.keys(Object(fieldOf(body, 'results')))).toEqual([load]);
  },
  need,
);

conforms(
  ['§4.5 the header Agent-Version', '§9 rule 4'],
  'the version of the runner is asked for in a header',
  async () => {
    const commitId = server.review?.commits['main'];
    const answer = await project.send('POST', '/reviews', {
      body: { branchName: 'main', commitId, pipelines: [load] },
    });
    expect(answer.status).toBe(400);
    expect((await review('main')).status).toBe(200);
  },
  need,
);

/** Which branch shows which evaluation error, at which rule of which file. */
const evaluationErrors: readonly (readonly [Point, string, string, string?])[] = [
  ['§2.8 designer/document-parse-error', 'main', 'maximum-components', 'daily/broken.orch.yaml'],
  ['§2.8 designer/validator-not-found', 'unknown-rule', 'no-such-rule'],
  ['§2.8 designer/invalid-enforcement-level', 'wrong-level', 'unused-components'],
  ['§2.8 designer/empty-regex-pattern', 'empty-pattern', 'component-naming-convention'],
  ['§2.8 designer/invalid-regex-pattern', 'wrong-pattern', 'component-naming-convention'],
  ['§2.8 designer/no-start-component', 'needs-start', 'unused-components', 'daily/startless.orch.yaml'],
  ['§2.8 designer/invalid-rule-configuration', 'wrong-configuration', 'maximum-components'],
  ['§2.8 designer/duplicate-enabled-rule', 'twice', 'unused-components'],
];

for (const [point, branch, rule, file] of evaluationErrors) {
  conforms(
    [point],
    `a rule that cannot be evaluated is answered ERROR with this type (branch ${branch})`,
    async () => {
      expect(await resultOf(branch, rule, file)).toMatchObject({
        status: 'ERROR',
        errorDetail: { type: point.replace('§2.8 ', '') },
      });
    },
    need,
  );
}

for (const [point, branch] of [
  ['§2.8 designer/rules-file-retrieval-error', 'no-rules-file'],
  ['§2.8 designer/rules-file-parse-error', 'unreadable-rules-file'],
] as const) {
  conforms(
    [point],
    `without rules that can be read every file is answered ERROR with this type (branch ${branch})`,
    async () => {
      const { status, body } = await review(branch);
      expect(status).toBe(200);
      expect(fieldOf(body, 'results', load)).toEqual([
        expect.objectContaining({ status: 'ERROR', errorDetail: { type: point.replace('§2.8 ', '') } }),
      ]);
    },
    need,
  );
}
