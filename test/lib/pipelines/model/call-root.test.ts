import { expect, test } from 'vitest';
import { asCalled, callRoot, callsInText, inCallFolder } from '../../../../lib/pipelines/model/call-root.ts';
import { callsOf } from '../../../../lib/pipelines/model/calls.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';

const rootOf = (paths: readonly string[], targets: readonly string[]) => {
  const calls = targets.map((target) => ({ caller: 'x.orch.yaml', kind: 'orchestration' as const, target }));
  const { folder, calledAs, resolved } = callRoot(
    paths.map((path) => `${path}.orch.yaml`),
    calls,
  );
  return [folder, calledAs, resolved];
};
const pipelines = ['etl/daily/load', 'etl/daily/build', 'etl/weekly/load', 'other/daily/load'];

test.each([
  [
    'the folder from which most calls resolve',
    pipelines,
    ['daily/load', 'daily/build', 'weekly/load'],
    ['etl', undefined, 3],
  ],
  [
    'also with a suffix, or a slash before it',
    pipelines,
    ['/daily/load.orch.yaml', './daily/build'],
    ['etl', undefined, 2],
  ],
  ['the project, if no call has a target in it', pipelines, [], ['', undefined, 0]],
  [
    'the project, if half of the calls resolve from it',
    ['load', 'etl/build', 'etl/save', 'etl/load'],
    ['load', 'load', 'build', 'save'],
    ['', undefined, 2],
  ],
  [
    'the project, if only one path leads anywhere else',
    pipelines,
    ['daily/build', 'daily/build'],
    ['', undefined, 0],
  ],
  [
    'a folder under its former name',
    pipelines,
    ['old/daily/load', 'old/daily/build', 'old/weekly/load'],
    ['etl', 'old', 3],
  ],
  [
    'the project, if calls name the folder above it',
    ['daily/load', 'daily/build', 'weekly/load'],
    ['etl/daily/load', 'etl/daily/build', 'etl/weekly/load'],
    ['', 'etl', 3],
  ],
  [
    'the project, if two calls have a wrong folder',
    ['a/load', 'a/build'],
    ['b/load', 'b/build'],
    ['', undefined, 0],
  ],
  [
    'of equal folders, the first by name',
    ['b/load', 'b/build', 'a/load', 'a/build'],
    ['load', 'build'],
    ['a', undefined, 2],
  ],
])('the root of calls is %s', (_, paths, targets, expected) => {
  expect(rootOf(paths, targets)).toEqual(expected);
});

test('a folder of calls leads to paths of the project and back', () => {
  const root = { folder: 'etl', calledAs: 'old' };
  expect(inCallFolder('/old/daily/load', root)).toBe('etl/daily/load');
  expect(inCallFolder('daily/load', root)).toBeUndefined();
  expect(asCalled('etl/daily/load', root)).toBe('old/daily/load');
  expect(asCalled('other/load', root)).toBeUndefined();
});

test('3,000 pipelines with one name and calls of all of them take less than a second', () => {
  const paths = Array.from({ length: 3000 }, (_, index) => `etl/f${index}/load`);
  const started = performance.now();
  expect(
    rootOf(
      paths,
      paths.map((path) => path.slice(4)),
    ),
  ).toEqual(['etl', undefined, 3000]);
  expect(performance.now() - started).toBeLessThan(1000);
});

test('the calls in a text equal the calls of the parsed pipeline', () => {
  const call = (name: string, target: string, parameter = 'orchestrationJob') =>
    `    ${name}:\n      type: run-${parameter.replace('Job', '')}\n      parameters:\n        ${parameter}: ${target}\n        other: 1\n`;
  const text = `pipeline:\n  components:\n${[
    call('Plain', 'daily/load # comment'),
    call('Quoted', '"daily/build \\"a\\""', 'transformationJob'),
    call('Single', "'it''s'"),
    call('Folded', '"daily/a long\n          name"'),
    call('Folded plain', 'daily/a long\n          name'),
    call('Joined', '"daily/\\\n          load"'),
    call('Dynamic', '"${which}"'),
  ].join('')}`;
  const parsed = callsOf(readPipeline('a.orch.yaml', text)).filter(({ dynamic }) => !dynamic);
  expect(parsed).toHaveLength(6);
  const written = (eol: string) => callsInText('a.orch.yaml', text.replaceAll('\n', eol));
  expect(written('\n')).toEqual(parsed.map(({ kind, target }) => ({ caller: 'a.orch.yaml', kind, target })));
  expect(written('\r\n')).toEqual(written('\n'));
});
