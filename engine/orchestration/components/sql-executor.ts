import { childOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { SourceText } from '../../core/source-text.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText, readYesNo } from '../../parameters/parameter-reader.ts';
import { resolveText } from '../../parameters/resolve-text.ts';
import { scalarText } from '../../parameters/scalar-text.ts';
import { runScript } from '../task/run-script.ts';
import { scriptFile } from '../task/script-file.ts';
import type { Task, TaskType } from '../task/task.ts';

const script = { form: 'text', meaning: 'one or more statements' } as const;

const declarations = {
  warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
  declareSqlVariables: {
    form: 'text',
    meaning: 'declares session variables, such as `$name`; a script that uses one is not supported',
    isIgnored: true,
  },
  variablesToInclude: { form: 'names', meaning: 'the variables for `declareSqlVariables`', isIgnored: true },
  enableVariableResolution: {
    form: 'yes-no',
    meaning: 'whether variables such as `${name}` are replaced; `Yes` if not set',
  },
} as const;

export const sqlExecutor: TaskType = {
  type: 'sql-executor',
  summary: 'Runs SQL that is written in the component or in a file. Each statement is committed separately.',
  commitsEach: true,
  parameters: {
    ...declarations,
    scriptLocation: {
      form: 'choice',
      meaning: 'which parameter contains the SQL: `sqlScript` or `fileName`',
      choices: ['Component', 'File'],
    },
    sqlScript: script,
    fileName: { form: 'text', meaning: 'the path of a file with SQL, relative to the root of the project' },
  },
  run: async (task) => runScript(readScript(task), task),
};

export const sqlScript: TaskType = {
  type: 'sql-script',
  summary: 'Runs SQL. Each statement is committed separately.',
  commitsEach: true,
  parameters: { ...declarations, sqlScript: script },
  run: async (task) => runScript(inlineScript(task), task),
};

/** A component that runs a script, with its parameters, and the files from which the script may be read. */
export type ScriptTask = Pick<Task, 'component' | 'parameters' | 'reader' | 'files'>;

/** Reads the SQL script of a component, and replaces its variables. */
export function readScriptOf(task: ScriptTask): SourceText {
  return task.component.type === sqlScript.type ? inlineScript(task) : readScript(task);
}

function readScript(task: ScriptTask): SourceText {
  const location = readText(childOf(task.parameters, 'scriptLocation'), task.reader)?.text.trim();
  return location?.toLowerCase() === 'file'
    ? withVariables(scriptFile(required('fileName', task), task), task)
    : inlineScript(task);
}

function inlineScript(task: ScriptTask): SourceText {
  const node = required('sqlScript', task);
  if (node.kind !== 'scalar') {
    const message = `expected a text for sqlScript, found a ${node.kind}`;
    throw new ParameterError(message, placeOfNode(node, task.reader));
  }
  return withVariables(scalarText(node, task.reader.source), task);
}

function withVariables(text: SourceText, { parameters, reader }: ScriptTask): SourceText {
  const isOn = readYesNo(childOf(parameters, 'enableVariableResolution'), reader, true);
  return isOn ? resolveText(text, reader.scope) : text;
}

function required(name: string, { parameters, reader }: ScriptTask): YamlNode {
  const node = childOf(parameters, name);
  if (node !== undefined && !(node.kind === 'scalar' && node.text === '')) return node;
  throw new ParameterError(`the parameter ${name} is not set`, placeOfNode(parameters, reader));
}
