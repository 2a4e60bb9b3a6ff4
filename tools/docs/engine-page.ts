import type { ComponentType, Parameter } from '../../engine/components/component-type.ts';
import { componentTypes } from '../../engine/components/component-types.ts';
import { knownDifferences } from '../../engine/dialect/known-differences.ts';
import { statementNames } from '../../engine/dialect/statement/index.ts';
import { noEffectNames } from '../../engine/dialect/statement/no-effect.ts';
import { functionNames } from '../../engine/dialect/write/call.ts';
import { outsideTypes } from '../../engine/orchestration/mocks/outside-types.ts';
import { flowParameters } from '../../engine/execution/walk/flow-parameters.ts';
import { tableIteratorParameters } from '../../engine/orchestration/components/table-rounds.ts';
import type { TaskType } from '../../engine/orchestration/task/task.ts';
import { taskTypes } from '../../engine/orchestration/components/task-types.ts';

const groups: Readonly<Record<ComponentType['group'], string>> = {
  read: 'Read',
  row: 'Choose rows',
  column: 'Compute columns',
  group: 'Group and rank',
  combine: 'Combine inputs',
  nested: 'Nested data',
  'free SQL': 'Free SQL',
  write: 'Write',
  mocked: 'Mocked',
};

const mark = '<!-- generated: npm run docs -->';

/** `docs/engine.md` with its lists written again, from the tables that the engine runs by. */
export function enginePage(page: string): string {
  const [introduction = '', ...rest] = page.split(mark);
  if (rest.length === 0) throw new Error(`docs/engine.md lacks "${mark}"`);
  return [
    `${introduction}${mark}`,
    '## Components of transformations',
    '“Sources” is the number of components whose rows the component reads. If a parameter that is not listed has a value, the engine refuses the component.',
    ...Object.entries(groups).flatMap(([group, title]) => groupSection(group, title)),
    '## Components of orchestrations',
    'If a parameter that is not listed has a value, the engine refuses the component. The engine walks these components itself ([unknowns.md](unknowns.md) lists its choices):',
    [...flowParameters].map(flowText).join('\n'),
    'These components run on the warehouse:',
    ...taskTypes.filter(({ isPython }) => isPython !== true).map(taskText),
    `- \`table-iterator\`: Repeats a component for each row of a query or table.${parameterRows(tableIteratorParameters)}`,
    'These components run only [if the operator allows Python](#python-components). Otherwise they need a mock:',
    ...taskTypes.filter(({ isPython }) => isPython === true).map(taskText),
    `**Components that need a mock:** ${codes(outsideTypes.map(({ type }) => type).filter(isNeverRun))}, and every type that this page does not name.`,
    '## SQL',
    'The engine reads each kind of warehouse with its own grammar, and rewrites the SQL for DuckDB. It refuses a statement, function, type, option or format that is not listed, and names file, line and column. A reserved word can be a name only in quotation marks.',
    ...(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const).flatMap((kind) => [
      `**Statements of ${kind} that run:** ${codes(statementNames(kind))}.`,
      `**Statements of ${kind} without an effect on one machine** (the step says so): ${codes(noEffectNames(kind))}.`,
    ]),
    `**Functions of WAREHOUSE_ONE:** ${codes(functionNames('WAREHOUSE_ONE'))}.`,
    `**Functions of WAREHOUSE_TWO:** ${codes(functionNames('WAREHOUSE_TWO'))}.`,
    '## Known differences',
    'The engine behaves differently from a warehouse in these points:',
    knownDifferences.map(({ what, here }) => `- Warehouse: ${what}\n  - Engine: ${here}`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

function flowText([type, parameters]: readonly [string, Readonly<Record<string, Parameter>>]): string {
  return `- \`${type}\`${parameterRows(parameters)}`;
}

function taskText({ type, summary, parameters }: TaskType): string {
  return `- \`${type}\`: ${summary}${parameterRows(parameters)}`;
}

function isNeverRun(name: string): boolean {
  return taskTypes.every(({ type }) => type !== name);
}

function groupSection(group: string, title: string): readonly string[] {
  const types = componentTypes.filter((type) => type.group === group);
  return types.length === 0 ? [] : [`### ${title}`, ...types.map(typeText)];
}

function typeText({ type, aliases = [], summary, inputs: [least, most], parameters }: ComponentType): string {
  const names = codes([type, ...aliases]);
  const sources = least === most ? String(least) : `${least} to ${most}`;
  return `- ${names}: ${summary} Sources: ${sources}.${parameterRows(parameters)}`;
}

function parameterRows(parameters: ComponentType['parameters']): string {
  return Object.entries(parameters)
    .filter(([, parameter]) => parameter.isIgnored !== true)
    .map(([name, parameter]) => `\n  - \`${name}\` (${formOf(parameter)}): ${parameter.meaning}`)
    .join('');
}

function formOf({ form, choices }: Parameter): string {
  return choices === undefined ? form : choices.join(' or ');
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
