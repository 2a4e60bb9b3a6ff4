import { callOf } from '../../../lib/pipelines/model/calls.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import type { Variable } from '../../../lib/pipelines/model/variable.ts';
import { childOf, itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import { exampleVariable, wantedValue } from './examples/example-variables.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from '../files/test-project.ts';
import { calledBy } from './examples/variable-forms.ts';
import { yamlQuoted, yamlRow } from '../files/yaml-text.ts';

/** Lines with values for the project's variables, and for variables without a value that a caller sets. */
export function variableLines(
  parts: Pick<TestParts, 'path' | 'variables' | 'listed' | 'wanted'>,
  project: TestProject,
): readonly string[] {
  const { path, variables } = parts;
  const document = project.pipeline(path);
  if (document === undefined) return [];
  const isOpen = ({ name, defaultValue }: Variable) =>
    isUnset(defaultValue) || wantedValue(name, document, parts, project) !== undefined;
  const open = [...document.variables.values()].filter(
    (variable) => variable.visibility !== 'PRIVATE' && isOpen(variable),
  );
  const others = [...variables].map((name) => ({ name, type: 'TEXT', columns: [] }));
  const values = [...open, ...others].flatMap((variable) => {
    const { name, type } = variable;
    const isFree = wantedValue(name, document, parts, project) === undefined;
    const passed = isFree ? passedValue(name, type, path, project) : undefined;
    const value = passed ?? exampleVariable(variable, document, parts, project);
    return value === undefined ? [] : [[name, value] as const];
  });
  return values.length === 0 ? [] : [`    variables: ${yamlRow(values)}`];
}

/** Whether there is no default, or one of empty cells only. */
function isUnset(value: Variable['defaultValue']): boolean {
  return typeof value === 'string'
    ? value === ''
    : (value ?? []).every((row) => row.every((cell) => cell === ''));
}

/** The value that a pipeline of the project passes, if it is fixed. */
function passedValue(name: string, type: string, path: string, project: TestProject): string | undefined {
  for (const file of project.pipelines) {
    for (const component of project.pipeline(file)?.components.values() ?? []) {
      const call = callOf(component);
      if (call === undefined || calledBy(component, project)?.path !== path) continue;
      if (type === 'GRID') {
        const rows = passedRows(name, component.parameter('setGridVariables'));
        if (rows.length > 0)
          return `[${rows.map((row) => `[${row.map(yamlQuoted).join(', ')}]`).join(', ')}]`;
        continue;
      }
      const [, value = ''] = call.scalarVariables.find(([variable]) => variable === name) ?? [];
      if (value !== '' && !value.includes('${') && (type !== 'NUMBER' || isNumber(value)))
        return type === 'NUMBER' ? value : yamlQuoted(value);
    }
  }
  return undefined;
}

function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(value);
}

/** Fixed rows that a call gives to a grid. */
function passedRows(name: string, node: Parameters<typeof itemsOf>[0]): Grid {
  const entry = itemsOf(node).find((item) => textOf(childOf(item, 'variable')) === name);
  const rows = entry === undefined ? undefined : childOf(entry, 'gridValues');
  if (rows?.kind !== 'list') return [];
  const grid = gridOf(rows);
  return grid.some((row) => row.some((cell) => cell.includes('${'))) ? [] : grid;
}
