import { expect, test } from 'vitest';
import { iterationOf } from '../../../../lib/pipelines/model/iterator.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';

function iteration(type: string, parameters: string) {
  const text = `pipeline: { components: { Each: { type: ${type}, iterationTarget: Load, parameters: { ${parameters} } } } }`;
  const component = readPipeline('a.orch.yaml', text).components.get('Each');
  return component && iterationOf(component);
}

test('every kind of iterator names its variables in its own parameter and cell', () => {
  expect(iteration('fixed-iterator', 'variablesToIterate: [a, b]')?.variables).toEqual(['a', 'b']);
  expect(iteration('fixed-iterator', 'variablesToIterate: a')?.variables).toEqual(['a']);
  expect(iteration('loop-iterator', 'variableToIterate: a')?.variables).toEqual(['a']);
  expect(iteration('grid-iterator', 'gridIteratorVariableMapping: [[x, a], [y, b]]')?.variables).toEqual([
    'a',
    'b',
  ]);
  expect(iteration('table-iterator', 'columnMapping: [[X, a]], columnMapping1: [[Y, b]]')?.variables).toEqual(
    ['a', 'b'],
  );
  expect(iteration('file-iterator', 'variables: [[a, Filename], [b, Folder]]')?.variables).toEqual([
    'a',
    'b',
  ]);
});

test('a row of one value is the variable itself', () => {
  expect(iteration('grid-iterator', 'gridIteratorVariableMapping: [[a]]')?.variables).toEqual(['a']);
  expect(iteration('table-iterator', 'columnMapping: [a]')?.variables).toEqual(['a']);
});

test('another iterator’s parameter counts for nothing', () => {
  expect(iteration('grid-iterator', 'variablesToIterate: [a], columnMapping: [[x, b]]')?.variables).toEqual(
    [],
  );
});

test('a variable that is named twice is one, and an empty cell is none', () => {
  expect(
    iteration('grid-iterator', 'gridIteratorVariableMapping: [[x, a], [y, a], [z, ]]')?.variables,
  ).toEqual(['a', 'z']);
  expect(iteration('grid-iterator', 'gridIteratorVariableMapping: [[x, ""]]')?.variables).toEqual([]);
});

test('only the word Concurrent is concurrent', () => {
  const concurrent = ['Concurrent', '"Concurrent"', 'Sequential', '"${mode}"', ''].map(
    (word) => iteration('loop-iterator', `concurrency: ${word}`)?.concurrent,
  );
  expect(concurrent).toEqual([true, true, false, false, false]);
});

test('a fixed iterator holds its rounds, and every iterator its target', () => {
  const found = iteration(
    'fixed-iterator',
    'variablesToIterate: [a, b], iterationValues: [["1", "2"], [3, 4]]',
  );
  expect(found).toMatchObject({
    target: 'Load',
    values: [
      ['1', '2'],
      ['3', '4'],
    ],
  });
  expect(iteration('loop-iterator', 'iterationValues: [["1"]]')?.values).toEqual([]);
});

test('a component that is not an iterator iterates nothing', () => {
  expect(iteration('retry', 'variableToIterate: a')).toBeUndefined();
});
