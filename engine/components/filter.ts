import { childOf } from '../../lib/yaml/yaml-node.ts';
import { readCombination, readConditions } from '../parameters/read-conditions.ts';
import { placeOfNode } from '../parameters/parameter-reader.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { combinedSql, conditionSql } from './conditions.ts';
import { copyCell, selectCells } from './select-list.ts';

export const filter: ComponentType = {
  type: 'filter',
  group: 'row',
  summary: 'Keeps the rows for which the conditions are true.',
  inputs: [1, 1],
  parameters: {
    mode: { form: 'choice', meaning: 'only `Basic` is supported', choices: ['Basic'] },
    filterConditions: {
      form: 'conditions',
      meaning:
        'in each row: column, `Is` or `Not`, comparator and value; without conditions, all rows of the input are kept',
    },
    combineCondition: {
      form: 'choice',
      meaning: 'whether all conditions must be true (And) or at least one (Or)',
      choices: ['And', 'Or'],
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const conditions = readConditions(childOf(parameters, 'filterConditions'), reader);
    const scope = {
      relation: input,
      of: `the input "${input.name}"`,
      dialect,
      notice: (text: string) => binding.notice(text),
    };
    const all = conditions.map((condition) => conditionSql(condition, scope));
    const where = combinedSql(all, readCombination(childOf(parameters, 'combineCondition'), reader));
    const cells = input.columns.map((column) => copyCell(column, input));
    const rest = `FROM ${input.sql}${where === undefined ? '' : ` WHERE ${where}`}`;
    const written = conditions.map(({ column, value = column }, index) => ({
      source: value,
      sql: `SELECT ${all[index] ?? 'NULL'} FROM ${input.sql}`,
    }));
    return { ...selectCells(cells, rest, placeOfNode(parameters, reader)), written };
  },
};
