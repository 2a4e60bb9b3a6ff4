import { Refusal } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { describeType } from '../duckdb/catalog/column-types.ts';
import type { Binding } from './component-type.ts';

/** Thrown by a component that cannot run on a single machine. A mock must provide its whole output. */
export class NeedsMock extends Refusal {
  /** The output columns that the component would produce. */
  readonly columns: readonly Column[];

  constructor({ component, reader }: Binding, columns: readonly Column[]) {
    const { line, column } = component.range;
    const place = { file: reader.source.file, line, column };
    const names = columns.map(({ name, type }) => `"${name}" ${describeType(type)}`);
    super(
      `the component type ${component.type}`,
      place,
      `mock the component, with the columns ${names.join(', ')}`,
    );
    this.columns = columns;
  }
}
