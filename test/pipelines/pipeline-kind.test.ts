import { expect, test } from 'vitest';
import { kindOf, suffixOf, withoutSuffix } from '../../pipelines/pipeline-kind.ts';

test('the suffix alone tells what a file is', () => {
  expect(kindOf('daily/load.orch.yaml')).toBe('orchestration');
  expect(kindOf('daily/load.tran.yaml')).toBe('transformation');
  for (const other of [
    'load.yaml',
    'load.orch.yml',
    'load.ORCH.YAML',
    'orch.yaml',
    'load.orch.yaml.bak',
    '',
  ]) {
    expect(kindOf(other)).toBeUndefined();
  }
});

test('a pipeline’s name is its path without the suffix', () => {
  expect(withoutSuffix('a b/load.orch.yaml')).toBe('a b/load');
  expect(withoutSuffix('load.tran.yaml')).toBe('load');
  expect(withoutSuffix('load.sql')).toBe('load.sql');
  expect(`load${suffixOf('transformation')}`).toBe('load.tran.yaml');
});
