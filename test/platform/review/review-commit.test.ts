import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reviewCommit, type ReviewCommitRequest } from '../../../platform/review/index.ts';
import { review as reviewAnswer } from '../../../lib/contract/resources/execution.ts';
import { type TemporaryRepository, temporaryRepository } from '../../lib/git/temporary-repository.ts';

const rules = [
  'rules:',
  '  - id: minimum-components',
  '    enabled: true',
  '    enforcementLevel: error',
  '    config:',
  '      minComponents: 2',
  '  - id: component-naming-convention',
  '    enabled: true',
  '    enforcementLevel: warn',
  '    config:',
  '      regexMatchPattern: "[A-Z].*"',
  '',
].join('\n');

const good = [
  'pipeline:',
  '  components:',
  '    Start: { type: start, transitions: { unconditional: [load] } }',
  '    load: { type: sql-executor }',
  '',
].join('\n');
const small = ['pipeline:', '  components:', '    Start: { type: start }', ''].join('\n');
const rulesPath = '.platform/config/pipeline_quality_rules.yaml';

let source: TemporaryRepository;
let gitRoot: string;
let commit: string;
let bareRules: string;
let onBranch: string;

beforeAll(() => {
  source = temporaryRepository();
  source.write('daily/load all.orch.yaml', good);
  source.write('small.orch.yaml', small);
  source.write('read.sql', 'select 1\n');
  bareRules = source.commit('Pipelines without rules');
  source.write(rulesPath, rules);
  commit = source.commit('Rules');
  source.git('checkout', '-q', '-b', 'feature/names');
  source.write('broken.orch.yaml', 'pipeline: [\n');
  onBranch = source.commit('On the branch');
  source.git('checkout', '-q', 'main');
  gitRoot = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace repositories ')));
  const clone = (...args: string[]) =>
    execFileSync('git', ['clone', '-q', ...args], { cwd: gitRoot, stdio: 'pipe' });
  mkdirSync(path.join(gitRoot, 'ada'));
  clone('--bare', source.directory, 'ada/bare');
  clone('--bare', source.directory, 'ada/suffixed.git');
  clone(source.directory, 'ada/work tree');
  execFileSync('git', ['branch', '-q', 'feature/names', 'origin/feature/names'], {
    cwd: path.join(gitRoot, 'ada/work tree'),
  });
});

afterAll(() => {
  source[Symbol.dispose]();
  rmSync(gitRoot, { recursive: true, force: true });
});

async function review(request: Partial<ReviewCommitRequest> = {}) {
  return reviewCommit({
    gitRoot,
    ownerName: 'ada',
    repositoryName: 'bare',
    branchName: 'main',
    commitId: commit,
    pipelines: ['daily/load all.orch.yaml'],
    configDir: '.platform',
    ...request,
  });
}

describe('the platform’s review of a commit', () => {
  test('answers the results of every rule for every file as texts, and the overall status', async () => {
    const answer = await review({ pipelines: ['daily/load all.orch.yaml', 'small.orch.yaml', 'read.sql'] });
    expect(answer).toEqual({
      review: {
        reviewStatus: 'FAILED',
        results: {
          'daily/load all.orch.yaml': [
            { ruleName: 'minimum-components', status: 'PASSED' },
            {
              ruleName: 'component-naming-convention',
              status: 'FAILED',
              violations: [expect.stringContaining('"load"') as unknown],
            },
          ],
          'small.orch.yaml': [
            {
              ruleName: 'minimum-components',
              status: 'FAILED',
              violations: [expect.any(String) as unknown],
            },
            { ruleName: 'component-naming-convention', status: 'PASSED' },
          ],
        },
        excludedFiles: ['read.sql'],
      },
    });
    expect(reviewAnswer.safeParse('review' in answer ? answer.review : undefined).success).toBe(true);
  });

  test('a rule that only warns fails no review', async () => {
    const answer = await review();
    expect(answer).toMatchObject({ review: { reviewStatus: 'PASSED' } });
  });

  test.each(['bare', 'bare.git', 'suffixed', 'suffixed.git', 'work tree'])(
    'the repository is found under the name "%s"',
    async (repositoryName) => {
      expect(await review({ repositoryName })).toHaveProperty('review');
    },
  );

  test.each([
    ['ada', 'nobody'],
    ['bob', 'bare'],
    ['..', 'bare'],
    ['ada', '..'],
    ['ada', '.'],
    ['ada/../ada', 'bare'],
    ['ada', '../ada/bare'],
    ['', 'ada'],
    ['ada', ''],
    ['ada', 'bare\0'],
    ['ada\\..', 'bare'],
  ])('the repository "%s/%s" is a 404', async (ownerName, repositoryName) => {
    expect(await review({ ownerName, repositoryName })).toMatchObject({ refused: { status: 404 } });
  });

  test('a plain folder inside another repository is not taken for that repository', async () => {
    mkdirSync(path.join(gitRoot, 'ada/work tree/sub/plain'), { recursive: true });
    const answer = await review({
      gitRoot: path.join(gitRoot, 'ada/work tree'),
      ownerName: 'sub',
      repositoryName: 'plain',
    });
    expect(answer).toMatchObject({ refused: { status: 404 } });
  });

  test('a commit of another branch is a 404 that names branch and commit', async () => {
    const answer = await review({ commitId: onBranch });
    expect(answer).toEqual({
      refused: {
        status: 404,
        error: `The branch "main" does not contain the commit ${onBranch}; push it first.`,
      },
    });
    expect(await review({ commitId: onBranch, branchName: 'feature/names' })).toHaveProperty('review');
    expect(await review({ branchName: 'feature/names' })).toHaveProperty('review');
  });

  test.each(['nobody', 'main~0', 'refs/heads/main', '--all', ''])(
    'the branch "%s" is a 404',
    async (branchName) => {
      expect(await review({ branchName })).toMatchObject({ refused: { status: 404 } });
    },
  );

  test.each(['0123456789012345678901234567890123456789', 'main', 'HEAD', '--all', ''])(
    'the commit "%s" is a 404',
    async (commitId) => {
      expect(await review({ commitId })).toEqual({
        refused: { status: 404, error: `There is no commit "${commitId}" in the repository.` },
      });
    },
  );

  test('a shortened commit id is understood', async () => {
    expect(await review({ commitId: commit.slice(0, 10) })).toHaveProperty('review');
  });

  test('files that the commit does not hold are a 400 that names them', async () => {
    const answer = await review({
      pipelines: ['small.orch.yaml', 'broken.orch.yaml', './small.orch.yaml', 'daily'],
    });
    expect(answer).toMatchObject({ refused: { status: 400 } });
    const error = 'refused' in answer ? answer.refused.error : '';
    expect(error).toContain('"broken.orch.yaml", "./small.orch.yaml", "daily"');
    expect(error).not.toContain('"small.orch.yaml"');
  });

  test('the rules come from the commit under review: without a rules file every file has the error', async () => {
    const answer = await review({
      commitId: bareRules,
      pipelines: ['small.orch.yaml', 'daily/load all.orch.yaml'],
    });
    const errors = [
      expect.objectContaining({
        status: 'ERROR',
        errorDetail: { type: 'designer/rules-file-retrieval-error' },
      }) as unknown,
    ];
    expect(answer).toEqual({
      review: {
        reviewStatus: 'PASSED',
        results: { 'small.orch.yaml': errors, 'daily/load all.orch.yaml': errors },
        excludedFiles: [],
      },
    });
  });

  test('the configuration folder is a setting', async () => {
    const answer = await review({ configDir: '.config', pipelines: ['small.orch.yaml'] });
    expect(answer).toMatchObject({
      review: {
        results: { 'small.orch.yaml': [{ errorDetail: { type: 'designer/rules-file-retrieval-error' } }] },
      },
    });
  });

  test('a pipeline that cannot be parsed is an ERROR of each rule, not a refusal', async () => {
    const answer = await review({
      commitId: onBranch,
      branchName: 'feature/names',
      pipelines: ['broken.orch.yaml'],
    });
    expect(answer).toMatchObject({
      review: {
        results: {
          'broken.orch.yaml': [
            { status: 'ERROR', errorDetail: { type: 'designer/document-parse-error' } },
            { status: 'ERROR', errorDetail: { type: 'designer/document-parse-error' } },
          ],
        },
      },
    });
  });

  test('a file that is named twice is reviewed once', async () => {
    const answer = await review({
      pipelines: ['read.sql', 'small.orch.yaml', 'small.orch.yaml', 'read.sql'],
    });
    expect('review' in answer && Object.keys(answer.review.results)).toEqual(['small.orch.yaml']);
    expect('review' in answer && answer.review.excludedFiles).toEqual(['read.sql']);
  });

  test('what lies in the work tree but not in the commit does not count', async () => {
    const folder = path.join(gitRoot, 'ada/work tree');
    execFileSync('git', ['rm', '-q', '-f', 'small.orch.yaml', rulesPath], { cwd: folder, stdio: 'pipe' });
    const answer = await review({ repositoryName: 'work tree', pipelines: ['small.orch.yaml'] });
    expect(answer).toMatchObject({ review: { reviewStatus: 'FAILED' } });
  });

  test('a caller that goes away ends the review', async () => {
    const reason = new Error('gone');
    await expect(review({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
