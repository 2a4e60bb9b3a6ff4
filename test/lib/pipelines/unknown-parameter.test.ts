import { expect, test } from 'vitest';
import { firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import { unknownParameters } from '../../../lib/pipelines/checks/unknown-parameter.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';

const found = (component: string) =>
  Array.from(
    firstBreaches(
      unknownParameters(readPipeline('a.orch.yaml', `pipeline:\n  components:\n    A: ${component}\n`)),
    ),
    ({ range, message }) => `${range.line}:${range.column} ${message}`,
  );

test.each([
  ['{ type: run-orchestration, parameters: { setScalarVariable: [[a, b]] } }', 'setScalarVariables'],
  ['{ type: if, parameters: { combineCondition: Or } }', 'combineConditions'],
  ['{ type: delete-tables, parameters: { ignoremissing: "Yes" } }', 'ignoreMissing'],
  ['{ type: rewrite-table, parameters: { targetTabel: x, targetTable: "" } }', 'targetTable'],
])('%s has a parameter that is almost a known one', (component, meant) => {
  expect(found(component)).toEqual([
    expect.stringMatching(
      new RegExp(`^3:\\d+ The component "A" has no parameter .*; did you mean "${meant}"\\?$`),
    ),
  ]);
});

test.each([
  '{ type: rewrite-table, parameters: { componentName: A, targetTable: x, orderBy: [] } }',
  // A platform may have more parameters, also beside a known one of a similar name.
  '{ type: rewrite-table, parameters: { somethingElse: x, targetTable: y, targetTables: z } }',
  '{ type: a-type-of-the-platform, parameters: { targetTabel: x } }',
  '{ type: rewrite-table, parameters: { targetTabel: } }',
])('%s has no finding', (component) => {
  expect(found(component)).toEqual([]);
});
