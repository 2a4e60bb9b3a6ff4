import { withoutBlanks } from '../../core/written-number.ts';
import { codingComment, differsInEncoding } from '../../../lib/core/files/coding-comment.ts';
import { childOf } from '../../../lib/yaml/yaml-node.ts';
import type { Parameter } from '../../components/component-type.ts';
import { type Place, Refusal } from '../../core/refusal.ts';
import type { SourceText } from '../../core/source-text.ts';
import { WarehouseStopped } from '../../duckdb/connection/warehouse.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { scalarText } from '../../parameters/scalar-text.ts';
import { PythonUnavailable, ScriptError, type ScriptEnd, type ScriptRun } from '../../python/python.ts';
import { mockHint } from '../mocks/missing-mock.ts';
import { scriptFile } from '../task/script-file.ts';
import { scriptVariables, setFromScript } from '../task/script-variables.ts';
import type { Task, TaskResult, TaskType } from '../task/task.ts';

const script = {
  form: 'text',
  meaning: 'the script; variables such as `${name}` in it are not replaced',
} as const;
const pythonScriptLocation = {
  form: 'text',
  meaning: 'the script as a file, relative to the root of the project, instead of in the component',
} as const;
const timeout = {
  form: 'text',
  meaning: 'the time limit in seconds; 360 if not set, at most 3600',
} as const;
const version: Parameter = {
  form: 'text',
  meaning:
    'the version of Python; if this machine has another version, the script runs with that version, and the step says so',
};

export const pythonScript: TaskType = {
  type: 'python-script',
  summary: 'Runs Python.',
  isPython: true,
  parameters: {
    script,
    pythonScriptLocation,
    interpreter: { form: 'choice', meaning: 'the programming language', choices: ['Python 3'] },
    timeout,
  },
  run: (task) => runPython(task, { script: 'script', timeout: 'timeout', hasSession: false }),
};

export const pythonPushdown: TaskType = {
  type: 'python-pushdown',
  summary:
    'Runs a Python script. The name `session`, which is the connection to the warehouse, is not supported.',
  isPython: true,
  parameters: {
    pythonScript: script,
    pythonScriptLocation,
    pythonVersion: version,
    scriptTimeout: timeout,
    packages: {
      form: 'names',
      meaning: 'the packages that the script needs; they must be installed on this machine',
      isIgnored: true,
    },
    externalAccessIntegrations: {
      form: 'names',
      meaning:
        'the addresses that the script may connect to; the parameter has no effect, because the table above says on which systems a script has no network',
      isIgnored: true,
    },
    warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
  },
  run: (task) => runPython(task, { script: 'pythonScript', timeout: 'scriptTimeout', hasSession: true }),
};

interface Keys {
  readonly script: string;
  readonly timeout: string;
  readonly hasSession: boolean;
}

const defaultSeconds = 360;
const maxSeconds = 3_600;

async function runPython(
  task: Task,
  { script: scriptKey, timeout: timeoutKey, hasSession }: Keys,
): Promise<TaskResult> {
  const { python, signal, variables } = task;
  if (python === undefined) throw new Error('Python components unless they are allowed');
  const source = readScript(scriptKey, task);
  refuseEncoding(source, task);
  const timeoutMs = readSeconds(timeoutKey, task) * 1_000;
  const job = { text: source.text, variables: scriptVariables(variables.all()), hasSession, timeoutMs };
  const run = await python.run(job, signal);
  if (run === undefined || run.end.kind === 'stopped') throw new WarehouseStopped();
  if (run.end.kind !== 'ended') throw failureOf(run.end, run, source, task);
  const refusal = setFromScript(run.end.set, task);
  if (refusal !== undefined) throw new ScriptError(refusal, source.placeOf(0));
  addNotices(run, task);
  const printed = run.output.text.trimEnd();
  return { message: printed === '' ? 'The script ended without output.' : printed };
}

/** As written: what looks like a variable of the pipeline belongs to the script. */
function readScript(key: string, task: Task): SourceText {
  const { parameters, reader } = task;
  const node = childOf(parameters, key);
  const isInline = node?.kind === 'scalar' && node.text.trim() !== '';
  const file = childOf(parameters, 'pythonScriptLocation');
  if (file?.kind === 'scalar' && file.text.trim() !== '') {
    if (!isInline) return scriptFile(file, task);
    throw new ParameterError(
      `both ${key} and pythonScriptLocation are set; remove one of them`,
      placeOfNode(file, reader),
    );
  }
  if (isInline) return scalarText(node, reader.source);
  throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(node ?? parameters, reader));
}

/**
 * No page says whether the platform runs a script as bytes, which such a comment decodes, or as text, for which the
 * comment has no effect.
 */
function refuseEncoding({ text, placeOf }: SourceText, task: Task): void {
  const comment = codingComment(text);
  if (comment === undefined || !differsInEncoding(text, comment)) return;
  throw new Refusal(
    `the encoding "${comment.encoding}" of a script`,
    placeOf(comment.offset),
    `the script is read as UTF-8: write \`# coding: utf-8\`, or remove the comment, or ${mockHint(task)}`,
  );
}

function readSeconds(key: string, { parameters, reader }: Task): number {
  const written = readText(childOf(parameters, key), reader);
  if (written === undefined) return defaultSeconds;
  const digits = withoutBlanks(written.text);
  const seconds = /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : 0;
  if (seconds > 0) return Math.min(seconds, maxSeconds);
  throw new ParameterError(
    `expected a number of seconds above 0 for ${key}, found "${written.text}"`,
    written.placeOf(0),
  );
}

type Failed = Exclude<ScriptEnd, { readonly kind: 'ended' | 'stopped' }>;

function failureOf(end: Failed, run: ScriptRun, source: SourceText, task: Task): Error {
  switch (end.kind) {
    case 'refused':
      return new Refusal(end.construct, placeOfLine(source, end.line), mockHint(task));
    case 'unsafe':
      return new PythonUnavailable(unsafeTexts[end.why]);
    case 'raised':
      return new ScriptError(raisedText(end) + outputText(run), placeOfLine(source, end.line));
    case 'lost':
      return new ScriptError(
        `the script did not run to its end: ${end.how}${outputText(run)}`,
        source.placeOf(0),
      );
    case 'limit':
      return new ScriptError(limitTexts[end.what] + outputText(run), source.placeOf(0));
  }
}

function raisedText({ type, message, line }: Extract<Failed, { readonly kind: 'raised' }>): string {
  const where = line === undefined ? '' : ` (line ${line} of the script)`;
  const hint = type === 'ModuleNotFoundError' ? '; install it for this Python, or mock the component' : '';
  return `${type}${message === '' ? '' : `: ${message}`}${where}${hint}`;
}

const limitTexts = {
  time: 'the script exceeded its time limit and was stopped',
  memory: 'the script exceeded its memory limit of 1 GiB and was stopped',
  processes: 'the script started more than 64 processes and was stopped',
  result: 'the values of the variables that the script set are larger than 32 MiB, which is the limit',
} as const;

const unsafeTexts = {
  unbounded:
    'Python components cannot run here, because this system does not limit the processes of the user root. Run Millrace as another user, or mock the component',
  unreadable:
    'Python components cannot run here, because scripts do not run as the user root, and only root can read this Python interpreter. Choose another interpreter with --python, such as /usr/bin/python3, or mock the component',
} as const;

/** The last lines before a failure. */
function outputText({ output, errors }: ScriptRun): string {
  const text = `${output.text.trimEnd()}\n${errors.text.trimEnd()}`.trim();
  return text === '' ? '' : `\nIts output:\n${text.slice(-500)}`;
}

function placeOfLine(source: SourceText, line: number | undefined): Place {
  const lines = source.text.split('\n');
  if (line === undefined || line > lines.length) return source.placeOf(0);
  const begin = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  return source.placeOf(begin + (lines[line - 1]?.search(/\S|$/) ?? 0));
}

function addNotices(run: ScriptRun, { parameters, reader, notice }: Task): void {
  const { output, errors, version: actual } = run;
  if (output.omitted > 0) notice(`the script wrote ${output.omitted} more characters, which are not shown`);
  if (errors.text !== '') notice(`standard error: ${errors.text.trimEnd().slice(0, 2_000)}`);
  const asked = readText(childOf(parameters, 'pythonVersion'), reader)?.text.trim() ?? actual;
  if (asked !== actual) notice(`the component requires Python ${asked}, but ran with Python ${actual}`);
  const reachable = [
    ...(run.hasNoNetwork ? [] : ['using the network']),
    ...(run.hasOwnFiles ? [] : ['writing files']),
  ];
  if (reachable.length > 0) notice(`this system cannot prevent a script from ${reachable.join(' and ')}`);
}
