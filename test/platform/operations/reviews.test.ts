import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orchestration } from '../../environment/orchestration.ts';
import { type Talk, talk } from '../talk.ts';

const rules = `rules:
  - id: maximum-components
    enabled: true
    enforcementLevel: error
    config: { maxComponents: 1 }
`;
let gitRoot = '';
let commitId = '';

function git(...words: string[]): string {
  const repository = join(gitRoot, 'demo', 'warehouse');
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', repository, ...identity, ...words], { encoding: 'utf8' }).trim();
}

beforeAll(() => {
  gitRoot = mkdtempSync(join(tmpdir(), 'platform-git-'));
  const files = {
    'daily/load.orch.yaml': orchestration,
    '.platform/config/pipeline_quality_rules.yaml': rules,
  };
  for (const [path, text] of Object.entries(files)) {
    const place = join(gitRoot, 'demo', 'warehouse', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  commitId = git('rev-parse', 'HEAD');
});
afterAll(() => {
  rmSync(gitRoot, { recursive: true, force: true });
});

const review = (
  platform: Talk,
  change: Record<string, unknown> = {},
  headers: Record<string, string> = { 'Agent-Version': '9.0.0' },
) =>
  platform.post(
    `${platform.project}/reviews`,
    { branchName: 'main', commitId, pipelines: ['daily/load.orch.yaml', 'README.md'], ...change },
    { headers },
  );

test('files are reviewed from the linked repository at branch and commit (§4.5, §2.8)', async () => {
  await using platform = await talk({ gitRoot });
  const answer = await review(platform, { pipelines: ['daily/load.orch.yaml'] });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      reviewStatus: 'FAILED',
      results: { 'daily/load.orch.yaml': [{ ruleName: 'maximum-components', status: 'FAILED' }] },
      excludedFiles: [],
    },
  });
});

test('a review without the header Agent-Version is refused (§4.5, unknowns §4)', async () => {
  await using platform = await talk({ gitRoot });
  expect(await review(platform, {}, {})).toMatchObject({
    status: 400,
    body: { violations: ['header Agent-Version must not be null'] },
  });
});

test('a review needs branch, commit and at least one path (§2.8)', async () => {
  await using platform = await talk({ gitRoot });
  const answer = await review(platform, { branchName: undefined, commitId: '', pipelines: [] });
  expect(answer.body).toMatchObject({
    violations: ['branchName must not be null', 'commitId must not be empty', 'pipelines must not be empty'],
  });
});

test('an unknown commit or branch, a missing link and a missing repository are answered 404 (unknowns §4)', async () => {
  await using platform = await talk({ gitRoot });
  expect((await review(platform, { commitId: 'f'.repeat(40) })).status).toBe(404);
  expect((await review(platform, { branchName: 'nowhere' })).status).toBe(404);
  const credentials = [{ name: 'boss', role: 'superAdmin' as const }];
  await using unlinked = await talk({ gitRoot, seed: { projects: [{ name: 'p' }], credentials } });
  expect(await review(unlinked)).toMatchObject({
    status: 404,
    body: { error: 'The project is not linked to a repository.', status: 404 },
  });
  await using rootless = await talk();
  expect((await review(rootless)).status).toBe(404);
});
