import type { Component } from '../../../lib/pipelines/model/component.ts';
import { componentType, componentTypes } from '../../components/component-types.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { describeType } from '../../duckdb/catalog/column-types.ts';
import { belongsTo, closestType } from './missing-mock.ts';
import { exampleRow, typeMap, yamlText } from '../task/yaml-text.ts';

/**
 * The refusal of a component of a transformation that needs a mock. Its hint contains the lines to add to the test.
 */
export function missingOutput(
  component: Component,
  details: {
    readonly file: string;
    readonly mockKey: string;
    readonly kind: WarehouseKind;
    /** The columns of the component's output, as far as they are known. */
    readonly columns: readonly Column[];
    /** Whether another component reads from the component. Only then does the mock need an output. */
    readonly isRead: boolean;
  },
): Refusal {
  const { line, column } = component.range;
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  const types = Object.fromEntries(
    details.columns.map(({ name, type }) => [name, describeType(type, details.kind)]),
  );
  const columns = Object.keys(types).length === 0 ? '' : `\n      columns: ${typeMap(types)}`;
  const output = `\n    output:${columns}\n      rows:\n        - ${exampleRow(types)}`;
  const isKnown = componentType(component.type) !== undefined;
  const names = isKnown ? [] : componentTypes.map(({ type }) => type);
  const isOfOther =
    /^(?:start|end-success|end-failure|if|and|or|retry|(?:run|query|sql|create)-.*|.*-iterator)$/.test(
      component.type,
    );
  const before = isOfOther && !isKnown ? belongsTo('orchestration') : closestType(component.type, names);
  const hint = `${before}mock the component:\nmock:\n  ${yamlText(details.mockKey)}:${details.isRead ? output : ' {}'}`;
  return new Refusal(what, { file: details.file, line, column }, hint);
}
