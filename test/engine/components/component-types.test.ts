import { expect, test } from 'vitest';
import { componentType, componentTypes } from '../../../engine/components/component-types.ts';
import { flowParameters } from '../../../engine/execution/walk/flow-parameters.ts';
import { tableIteratorParameters } from '../../../engine/orchestration/components/table-rounds.ts';
import { outsideTypes } from '../../../engine/orchestration/mocks/outside-types.ts';
import { taskTypes } from '../../../engine/orchestration/components/task-types.ts';
import { knownParameters } from '../../../lib/pipelines/model/component-parameters.ts';
import { flowTypes, knownTypes } from '../../../lib/pipelines/model/component-types.ts';

const sentence = /^[A-Z].*[^.\s]\.$/;

test.each(componentTypes.map((type) => [type.type, type] as const))(
  'the description of %s is complete',
  (name, type) => {
    expect(type.summary).toMatch(sentence);
    expect(Object.keys(type.parameters)).not.toEqual([]);
    for (const [parameter, { meaning, form, choices }] of Object.entries(type.parameters)) {
      expect(meaning, `${name}.${parameter}`).toMatch(/^\S.*[^.\s]$/);
      // A parameter with choices is a choice, and a choice has some.
      expect(form === 'choice', `${name}.${parameter}`).toBe(choices !== undefined && choices.length > 0);
    }
    const [least, most] = type.inputs;
    expect(least).toBeLessThanOrEqual(most);
    if (type.group === 'read') expect(most).toBe(0);
  },
);

test('each name means one component type', () => {
  const names = componentTypes.flatMap((type) => [type.type, ...(type.aliases ?? [])]);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  for (const type of componentTypes) {
    for (const name of [type.type, ...(type.aliases ?? [])]) expect(componentType(name)).toBe(type);
  }
  expect(componentType('quantum-input')).toBeUndefined();
});

test('a review knows every type that the engine runs or that it says to mock', () => {
  const orchestration = [...taskTypes, ...outsideTypes].map(({ type }) => type);
  expect([...knownTypes.orchestration].toSorted()).toEqual(
    [...new Set([...flowTypes, ...orchestration])].toSorted(),
  );
  expect([...knownTypes.transformation].toSorted()).toEqual(
    componentTypes.flatMap((type) => [type.type, ...(type.aliases ?? [])]).toSorted(),
  );
});

test('each parameter with rows says how many cells a row has, unless any number is read', () => {
  const described = [
    ...[...componentTypes, ...taskTypes].map(({ type, parameters }) => [type, parameters] as const),
    ...flowParameters,
    ['table-iterator', tableIteratorParameters] as const,
  ];
  const open = described.flatMap(([type, parameters]) =>
    Object.entries(parameters).flatMap(([name, { form, cells }]) =>
      form === 'rows' && cells === undefined ? `${type}.${name}` : [],
    ),
  );
  expect(open.toSorted()).toEqual([
    'append-to-grid.valuesGrid',
    'assert-table.tableMetadata',
    'fixed-flow.values',
    'fixed-iterator.iterationValues',
    'remove-from-grid.valuesGrid',
    'transpose-columns.columnToRowMapping',
    'transpose-rows.sortOrder',
  ]);
});

test('a review knows every parameter that the engine reads', () => {
  const read = [
    ...componentTypes.flatMap(({ type, aliases = [], parameters }) =>
      [type, ...aliases].map((name) => [name, parameters] as const),
    ),
    ...taskTypes.map(({ type, parameters }) => [type, parameters] as const),
    ...flowParameters,
    ['table-iterator', tableIteratorParameters] as const,
  ];
  const names = read.map(([type, parameters]) => [type, Object.keys(parameters).toSorted()] as const);
  expect(
    Object.fromEntries(Object.entries(knownParameters).map(([type, known]) => [type, [...known].toSorted()])),
  ).toEqual(Object.fromEntries(names.filter(([, known]) => known.length > 0)));
});
