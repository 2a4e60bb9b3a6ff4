import { describe, expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { workerText } from './worker-text.ts';

const read = (text: string) => readWorkerConfig(text, 'worker.yaml');

function changed(before: string, after: string): string {
  expect(workerText).toContain(before);
  return workerText.replace(before, after);
}

test('a worker.yaml is parsed with the position of each part', () => {
  const worker = read(workerText);
  expect(worker.credentials['warehouse']).toMatchObject({
    baseUrl: 'https://platform.example.com',
    tokenEnv: 'WAREHOUSE_TOKEN',
  });
  expect(worker.repositories[0]?.gates['prod']).toEqual({
    approvals: 1,
    authorsMayApprove: true,
    checks: [],
    evidence: [],
    soak: 1_800_000,
    freeze: [{ days: ['sun'], zone: 'UTC' }],
    windows: [],
    verify: [],
  });
  expect(worker.placeOf(['repositories', 0, 'tags'])).toEqual({ file: 'worker.yaml', line: 9, column: 11 });
  expect(worker.placeOf(['repositories', 0, 'nothing', 'here'])).toMatchObject({ line: 5 });
});

test('absent tags, pipelines, approvers and gates default to none', () => {
  const least = workerText
    .split('\n')
    .filter((line) => !/^ {4,6}(?:tags|pipelines|approvers|gates|prod):/.test(line))
    .join('\n');
  expect(read(least).repositories[0]).toMatchObject({ tags: [], pipelines: [], approvers: [], gates: {} });
});

describe('faults', () => {
  test.each([
    ['id: 42', 'id: example/warehouse', '5:9', '`id` must be a number'],
    ['    branches: [main, "release/*"]\n', '', '5:5', '`branches` is missing'],
    ['environments: [test, prod]', 'environments: []', '10:19', '`environments` must not be empty'],
    [
      'credential: warehouse',
      'credential: warehose',
      '12:17',
      '"warehose" is not one of the `credentials` of this file; did you mean "warehouse"?',
    ],
    ['approvers:', 'aprovers:', '13:5', 'unknown key `aprovers`; did you mean "approvers"?'],
    [
      'prod: { approvals: 1',
      'prd: { approvals: 1',
      '15:12',
      '"prd" is not in this repository’s `environments`; did you mean "prod"?',
    ],
    [
      'approvals: 1',
      'approvals: 3',
      '15:13',
      'this gate requires 3 approvals, more than this repository has `approvers`',
    ],
    [
      'token-env: WAREHOUSE_TOKEN',
      'token-env: "ghp_aaaa bbbb"',
      '3:67',
      'must be the name of an environment variable',
    ],
    ['token-env: WAREHOUSE_TOKEN', 'token: abc', '3:56', 'unknown key `token`; known keys: base-url'],
    [', token-env: WAREHOUSE_TOKEN', '', '3:14', 'needs a token (`token-env` or `token-file`)'],
    [
      'token-env: WAREHOUSE_TOKEN',
      'token-env: A, token-file: b',
      '3:14',
      'has both `token-env` and `token-file`',
    ],
    [
      'token-env: WAREHOUSE_TOKEN',
      'token-env: A, client-id-env: B',
      '3:14',
      'has both a token (`token-…`) and client credentials',
    ],
    ['token-env: WAREHOUSE_TOKEN', 'client-id-env: A, client-secret-env: B', '3:14', '`token-url`'],
    [
      'https://platform.example.com',
      'https://ada:x@platform.example.com',
      '3:26',
      '`base-url` must be an http or https address without user',
    ],
    [
      'https://platform.example.com',
      'ftp://platform.example.com',
      '3:26',
      '`base-url` must be an http or https address',
    ],
    [
      'repositories:',
      'github: { app-id: 7 }\nrepositories:',
      '4:9',
      'needs `app-id` and `app-key-file` together',
    ],
  ])('%j instead of %j is an error at %s: %s', (before, after, place, message) => {
    expect(() => read(changed(before, after))).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        details: {
          problems: expect.arrayContaining([
            expect.objectContaining({
              line: Number(place.split(':')[0]),
              column: expect.any(Number),
              message: expect.stringContaining(message),
            }),
          ]),
        },
      }),
    );
  });

  test('a repository that is listed twice is rejected', () => {
    const [head = '', entry = ''] = workerText.split('repositories:\n');
    expect(() => read(`${head}repositories:\n${entry}${entry}`)).toThrow('repository 42 is listed twice');
  });

  test('a repository with a variable and a file for its webhook secret is rejected', () => {
    const both = workerText.replace(
      /^( *)(branches:.*)$/m,
      '$1$2\n$1webhook-secret-env: A\n$1webhook-secret-file: b',
    );
    expect(both).not.toBe(workerText);
    expect(() => read(both)).toThrow('has both `webhook-secret-env` and `webhook-secret-file`; remove one');
  });

  test('a folder that is listed twice in a repository is rejected', () => {
    const twice = workerText.replace(/^( *)(branches:.*)$/m, '$1$2\n$1working-directories: [sales, sales]');
    expect(twice).not.toBe(workerText);
    expect(() => read(twice)).toThrow('"sales" is listed twice');
  });
});
