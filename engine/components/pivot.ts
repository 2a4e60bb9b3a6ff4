import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { joinTexts, type SourceText } from '../core/source-text.ts';
import { textLiteral } from '../dialect/text-literal.ts';
import { translateExpression } from '../dialect/translate.ts';
import { groupBy } from '../dialect/write/sql/equal-texts.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { fixedText, readNames } from '../parameters/read-rows.ts';
import { findAggregate } from './aggregate.ts';
import { type Binding, type ComponentType, onlyInput, type RowsOutput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { placeOf, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, copyCell, selectCells, valueCell } from './select-list.ts';

export const pivot: ComponentType = {
  type: 'pivot',
  group: 'group',
  summary:
    'Turns the values of one column into columns. The output has one row for each combination of the values of the other columns, which no parameter names.',
  inputs: [1, 1],
  parameters: {
    aggregateFunction: { form: 'text', meaning: 'Sum, Average, Count, Count Distinct, Max or Min' },
    pivotColumn: { form: 'text', meaning: 'the column whose values become columns' },
    valueColumn: { form: 'text', meaning: 'the column that is aggregated' },
    pivotValues: {
      form: 'names',
      meaning: 'the values that become columns; each is also the name of its output column',
    },
    quotePivotValueColumns: { form: 'choice', meaning: 'only `No`', choices: ['No', 'False'] },
  },
  bind: bindPivot,
};

function bindPivot(binding: Binding): RowsOutput {
  const { parameters, reader, dialect } = binding;
  const input = onlyInput(binding);
  const { sql: call } = findAggregate(requiredText(binding, 'aggregateFunction'));
  const column = (key: string) => findInputColumn(requiredText(binding, key), input, dialect).name;
  const [pivoted, aggregated] = [column('pivotColumn'), column('valueColumn')];
  requiredRows(binding, 'pivotValues');
  const valueOf = (value: SourceText): Cell => {
    const place = value.placeOf(0);
    const parts = [
      fixedText(`${call}CASE WHEN ${quoteName(pivoted)} = `, placeOf(binding, 'pivotColumn')),
      fixedText(literalOf(value, binding), place),
      fixedText(` THEN ${quoteName(aggregated)} END)`, placeOf(binding, 'valueColumn')),
    ];
    const translated = translateExpression(joinTexts(parts), new Map([['', input]]), dialect);
    return valueCell(storedName(value.text, dialect.warehouse), translated);
  };
  const groups = input.columns
    .filter(({ name }) => name !== pivoted && name !== aggregated)
    .map((each) => copyCell(each, input));
  const values = readNames(childOf(parameters, 'pivotValues'), reader).map(valueOf);
  const grouped = groupBy(groups, dialect.warehouse);
  return selectCells([...groups, ...values], `FROM ${input.sql}${grouped}`, placeOf(binding, 'pivotValues'));
}

function literalOf(value: SourceText, { dialect }: Binding): string {
  const literal = textLiteral(value.text, dialect.warehouse);
  if (literal !== undefined) return literal;
  throw new Refusal(`the value ${JSON.stringify(value.text)} in pivotValues`, value.placeOf(0));
}
