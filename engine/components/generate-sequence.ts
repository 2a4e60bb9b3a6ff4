import { withoutBlanks } from '../core/written-number.ts';
import { Refusal } from '../core/refusal.ts';
import type { SqlType } from '../core/sql-type.ts';
import { duckdbType } from '../duckdb/catalog/column-types.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { Binding, ComponentType } from './component-type.ts';
import { storedName } from './find-column.ts';
import { placeOf, requiredText } from './read-cells.ts';

/** The maximum number of rows. A request for more rows is more likely a mistake than intended. */
const maxRows = 10_000_000n;

export const generateSequence: ComponentType = {
  type: 'generate-sequence',
  group: 'read',
  summary: 'Returns the whole numbers from a start to an end.',
  inputs: [0, 0],
  parameters: {
    startValue: { form: 'number', meaning: 'the first number' },
    incrementValue: {
      form: 'number',
      meaning: 'the difference between two numbers that follow each other; it may be negative',
    },
    endValue: { form: 'number', meaning: 'the end of the sequence; it is included' },
    outputColumn: { form: 'text', meaning: 'the name of the column' },
  },
  bind(binding) {
    const start = wholeNumber(binding, 'startValue');
    const step = wholeNumber(binding, 'incrementValue');
    const end = wholeNumber(binding, 'endValue');
    const place = placeOf(binding, 'incrementValue');
    if (step === 0n)
      throw new ParameterError(
        'incrementValue is 0, so the sequence would not end; set it to another number',
        place,
      );
    if ((end - start) / step >= maxRows) {
      throw new Refusal(`a sequence of more than ${maxRows} numbers`, placeOf(binding, 'endValue'));
    }
    const column = storedName(requiredText(binding, 'outputColumn').text, binding.dialect.warehouse);
    const name = quoteName(column);
    const limit = end + (step > 0n ? 1n : -1n);
    const isOne = binding.dialect.warehouse === 'WAREHOUSE_ONE';
    const type: SqlType = isOne ? { name: 'NUMBER', precision: 38, scale: 0 } : { name: 'BIGINT' };
    const sql = `SELECT CAST(given.number AS ${duckdbType(type)}) AS ${name} FROM range(${start}, ${limit}, ${step}) AS given(number)`;
    return {
      kind: 'rows',
      sql,
      columns: [{ name: column, type }],
    };
  },
};

function wholeNumber(binding: Binding, key: string): bigint {
  const written = requiredText(binding, key);
  const digits = withoutBlanks(written.text);
  // Within 64 bits, also after one more step.
  if (/^[+-]?\d{1,18}$/.test(digits)) return BigInt(digits.replace(/^\+/, ''));
  throw new ParameterError(`${key}: expected a whole number, found "${written.text}"`, written.placeOf(0));
}
