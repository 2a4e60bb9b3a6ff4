import { expect, test } from 'vitest';
import {
  canonicalName,
  intendedName,
  kindOf,
  suffixOf,
  withoutSuffix,
} from '../../../../lib/pipelines/model/pipeline-kind.ts';

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

test('a file with the suffix of a pipeline in another spelling was meant as one', () => {
  expect(intendedName('a/load.orch.yml')).toBe('a/load.orch.yaml');
  expect(intendedName('load.TRAN.Yaml ')).toBe('load.tran.yaml');
  for (const other of ['load.orch.yaml', 'load.yml', 'load.trans.yaml', 'load.orch.yml.bak', 'orch.yml', ''])
    expect(intendedName(other)).toBeUndefined();
});

test('a pipeline’s name is its path without the suffix', () => {
  expect(withoutSuffix('a b/load.orch.yaml')).toBe('a b/load');
  expect(withoutSuffix('load.tran.yaml')).toBe('load');
  expect(withoutSuffix('load.sql')).toBe('load.sql');
  expect(`load${suffixOf('transformation')}`).toBe('load.tran.yaml');
});

test('every spelling of a pipeline’s path has the same canonical name', () => {
  for (const spelling of [
    'daily/load',
    'daily/load.orch.yaml',
    'daily/load.tran.yaml',
    './daily/load',
    './/daily/load.orch.yaml',
    '/daily/load',
    'daily//load',
    'daily/./load',
    'daily/old/../load',
    String.raw`daily\load.orch.yaml`,
    String.raw`.\daily\load`,
  ]) {
    expect(canonicalName(spelling), spelling).toBe('daily/load');
  }
  expect(canonicalName('e\u0301te\u0301')).toBe('\u00e9t\u00e9');
});

test('names that differ in more than their spelling stay different', () => {
  const names = ['load', 'daily/load', 'Daily/load', 'daily /load', 'daily/load 2', 'daily/load.yaml'];
  expect(names.map(canonicalName)).toEqual(names);
});
