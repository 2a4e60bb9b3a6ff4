import { describe, expect, test } from 'vitest';
import { effectivePolicy } from '../../../../lib/config/worker/effective-policy.ts';
import { lanesForPush } from '../../../../lib/config/worker/lanes-for-push.ts';
import { readProjectConfig } from '../../../../lib/config/project/read-project-config.ts';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { project, workerText } from './worker-text.ts';

const laneText = 'name: to-test, on: { push: { tags: ["v*"], branches: [main, "*"] } }, from: dev, to: test';

function policyOf({ lanes = [laneText], id = 42, worker = workerText, header = `project: ${project}` } = {}) {
  const list = lanes.map((lane) => `  - { ${lane} }\n`).join('');
  const config = readProjectConfig(`version: 1\n${header}\nlanes:\n${list}`, 'millrace.yaml');
  return effectivePolicy(readWorkerConfig(worker, 'worker.yaml'), id, config);
}

const deniedAt = (line: number, message: string) =>
  expect.objectContaining({
    code: 'not-allowed-here',
    exitCode: 2,
    where: expect.objectContaining({ file: 'worker.yaml', line }),
    message: expect.stringContaining(message),
  });

describe('the policy of millrace.yaml under worker.yaml', () => {
  test('is unchanged within the limits', () => {
    const policy = policyOf({ lanes: [`${laneText}, verify: [{ pipeline: daily/load.orch.yaml }]`] });
    expect(policy).toMatchObject({
      project,
      approvers: ['ada', 'grace'],
      repository: { id: 42, name: 'example/warehouse' },
    });
    expect(policy.credential.tokenEnv).toBe('WAREHOUSE_TOKEN');
    expect(policy.lanes[0]).toMatchObject({
      name: 'to-test',
      gates: { approvals: 0, authorsMayApprove: true, checks: [], soak: 0, freeze: [], windows: [] },
    });
  });

  test.each([
    [{ id: 43 }, 5, 'the repository with the id 43 is not listed under `repositories`'],
    [
      { header: 'project: 3f0f2c1e-0000-4000-8000-000000000002' },
      7,
      'the project 3f0f2c1e-0000-4000-8000-000000000002 is not listed in `projects`',
    ],
    [
      { lanes: [laneText.replace('to: test', 'to: live')] },
      10,
      'lane "to-test": its target environment "live" is not listed in `environments`',
    ],
    [
      { lanes: [`${laneText}, verify: [{ pipeline: weekly/load }]`] },
      11,
      'its verification "weekly/load" matches no pattern of `pipelines`',
    ],
    [
      { lanes: [`${laneText}, verify: [{ pipeline: daily/../secret }]`] },
      11,
      'its verification "daily/../secret" matches no pattern',
    ],
    [
      { lanes: [laneText.replace('[main, "*"]', '[dev]')] },
      8,
      'its branch "dev" matches no pattern of `branches`',
    ],
    [
      { lanes: [laneText.replace('["v*"]', '[nightly]')] },
      9,
      'its tag "nightly" matches no pattern of `tags`',
    ],
    [
      { worker: workerText.replace('    tags: ["v*"]\n', '') },
      5,
      'it starts on tags, but the repository has no `tags`',
    ],
    [
      { lanes: [`${laneText}, gates: { approvals: 3 }`] },
      13,
      'it needs 3 approvals, but fewer people are listed in `approvers`',
    ],
  ])('%j is denied at line %s of worker.yaml', (given, line, message) => {
    expect(() => policyOf(given)).toThrow(deniedAt(line, message));
  });

  test('one failure lists all denials', () => {
    const lane = laneText.replace('to: test', 'to: live');
    expect(() => policyOf({ lanes: [`${lane}, verify: [{ pipeline: weekly/load }]`] })).toThrow(
      /environment "live".*; lane "to-test": its verification "weekly\/load"/,
    );
  });

  test('a millrace.yaml without a project ends as no-project, not as a denial', () => {
    expect(() => policyOf({ header: 'environments: [dev, test]' })).toThrow(
      expect.objectContaining({ code: 'no-project' }),
    );
  });
});

describe('gates', () => {
  const toProd = laneText.replace('to: test', 'to: prod');

  test('a lane without gates gets the gates of worker.yaml', () => {
    expect(policyOf({ lanes: [toProd] }).lanes[0]?.gates).toEqual({
      approvals: 1,
      authorsMayApprove: true,
      checks: [],
      evidence: [],
      soak: 1_800_000,
      freeze: [{ days: ['sun'], zone: 'UTC' }],
      windows: [],
    });
  });

  test('millrace.yaml can make each gate stricter, but none looser', () => {
    const loose = `${toProd}, gates: { approvals: 0, authors-may-approve: true, soak: 1m }`;
    expect(policyOf({ lanes: [loose] }).lanes[0]?.gates).toMatchObject({ approvals: 1, soak: 1_800_000 });
    const tight = `${toProd}, gates: { approvals: 2, authors-may-approve: false, soak: 2h, freeze: [{ days: [sat] }] }`;
    expect(policyOf({ lanes: [tight] }).lanes[0]?.gates).toEqual({
      approvals: 2,
      authorsMayApprove: false,
      checks: [],
      evidence: [],
      soak: 7_200_000,
      freeze: [
        { days: ['sat'], zone: 'UTC' },
        { days: ['sun'], zone: 'UTC' },
      ],
      windows: [],
    });
  });

  test('a promotion must be in a window of each file', () => {
    const worker = workerText.replace('      prod: {', '      prod: { windows: [{ days: [mon] }],');
    const lane = `${toProd}, gates: { windows: [{ from: "09:00", to: "17:00" }] }`;
    expect(policyOf({ lanes: [lane], worker }).lanes[0]?.gates.windows).toEqual([
      [{ from: '09:00', to: '17:00', zone: 'UTC' }],
      [{ days: ['mon'], zone: 'UTC' }],
    ]);
  });

  test.each([
    ['from: [test]', '', 'versions for prod must come from test, not from dev'],
    ['verify: ["daily/*"]', '', 'its `verify` has no pipeline that matches the required "daily/*"'],
    [
      'verify: ["daily/*", daily/check]',
      ', verify: [{ pipeline: daily/load }]',
      'its `verify` has no pipeline that matches the required "daily/check"',
    ],
  ])('`%s` of worker.yaml denies a lane to that environment without it', (rule, verify, message) => {
    const worker = workerText.replace('      prod: {', `      prod: { ${rule},`);
    expect(() => policyOf({ lanes: [`${toProd}${verify}`], worker })).toThrow(deniedAt(15, message));
  });

  test('a lane that has what worker.yaml requires is allowed, with or without the suffix of the pipeline', () => {
    const worker = workerText.replace(
      '      prod: {',
      '      prod: { from: [dev, test], verify: [daily/load],',
    );
    const lane = `${toProd}, verify: [{ pipeline: daily/load.orch.yaml }]`;
    expect(policyOf({ lanes: [lane], worker }).lanes[0]?.gates.approvals).toBe(1);
    expect(policyOf({ worker }).lanes[0]?.to).toBe('test');
  });

  test('gates for all environments apply in addition to those for one', () => {
    const worker = workerText.replace('      prod:', '      "*": { approvals: 2 }\n      prod:');
    expect(policyOf({ lanes: [toProd], worker }).lanes[0]?.gates).toMatchObject({
      approvals: 2,
      soak: 1_800_000,
    });
    expect(policyOf({ worker }).lanes[0]?.gates).toEqual({
      approvals: 2,
      authorsMayApprove: true,
      checks: [],
      evidence: [],
      soak: 0,
      freeze: [],
      windows: [],
    });
  });

  test('an environment named like an object’s method has no gates', () => {
    const worker = workerText.replace('[test, prod]', '[test, prod, constructor]');
    const lanes = [laneText.replace('to: test', 'to: constructor')];
    expect(policyOf({ worker, lanes }).lanes[0]?.gates).toEqual({
      approvals: 0,
      authorsMayApprove: true,
      checks: [],
      evidence: [],
      soak: 0,
      freeze: [],
      windows: [],
    });
  });
});

describe('pushes', () => {
  const names = (lanes: readonly { name: string }[]) => lanes.map(({ name }) => name);

  test('a push starts the lanes that name its branch or tag', () => {
    const policy = policyOf({
      lanes: [
        laneText,
        'name: only-tags, on: { push: { tags: ["v1*"] } }, from: dev, to: test',
        'name: next, after: to-test, from: test, to: prod',
      ],
    });
    expect(names(lanesForPush(policy, { branch: 'main' }))).toEqual(['to-test']);
    expect(names(lanesForPush(policy, { tag: 'v1.0', branchesOfTag: ['main'] }))).toEqual([
      'to-test',
      'only-tags',
    ]);
    expect(names(lanesForPush(policy, { tag: 'v2.0', branchesOfTag: ['release/2'] }))).toEqual(['to-test']);
    expect(lanesForPush(policy, { tag: 'nightly', branchesOfTag: ['main'] })).toEqual([]);
    // Statements are pushed there after each check.
    expect(lanesForPush(policy, { branch: 'millrace-evidence' })).toEqual([]);
  });

  test.each([
    [{ branch: 'feature' }, 8, 'the branch "feature" matches no pattern of `branches`'],
    [
      { tag: 'v1', branchesOfTag: ['feature'] },
      8,
      'the commit of the tag "v1" is on no branch that matches `branches`',
    ],
    [{ tag: 'v1' }, 8, 'the commit of the tag "v1" is on no branch that matches `branches`'],
  ])('%j matches a lane and is denied', (push, line, message) => {
    expect(() => lanesForPush(policyOf(), push)).toThrow(deniedAt(line, message));
  });

  test('a tag that matches the lane but not worker.yaml is denied', () => {
    const policy = policyOf({ lanes: [laneText.replace('"v*"', '"*"')] });
    expect(() => lanesForPush(policy, { tag: 'nightly', branchesOfTag: ['main'] })).toThrow(
      deniedAt(9, 'tag "nightly"'),
    );
  });
});
