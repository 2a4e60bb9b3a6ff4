import { meantClause, meantSentence } from '../../core/text/did-you-mean.ts';
import { resolveCall, sharedFile } from '../model/calls.ts';
import { withoutSuffix } from '../model/pipeline-kind.ts';
import type { SharedParameter, SharedPipeline, SharedPipelinesFile } from '../model/shared-pipelines.ts';
import type { CheckBreach } from './breach.ts';
import type { DeclaredVariables } from './passed-variable.ts';

/** The pipelines of the project, relative to it. */
export interface SharedSources {
  readonly paths: ReadonlySet<string>;
  readonly variablesOf: (path: string) => DeclaredVariables;
}

/** The path of the pipeline that an entry shares. */
export function sourceOf({ pipeline }: SharedPipeline, paths: ReadonlySet<string>): string | undefined {
  return sharedFile(pipeline, paths);
}

/** The errors in the shared-pipelines file: it cannot be read, or an entry does not match its pipeline. */
export function sharedPipelineBreaches(
  { path: file, pipelines, problems }: SharedPipelinesFile,
  { paths, variablesOf }: SharedSources,
): readonly CheckBreach[] {
  const check = 'shared-pipelines-file';
  if (problems.length > 0)
    return problems.map(({ message, line, column, endLine, endColumn }) => ({
      check,
      file,
      subject: message,
      message: `${message}, so no shared pipeline can be published.`,
      range: { line, column, endLine, endColumn },
    }));
  return pipelines
    .filter(({ enabled }) => enabled)
    .flatMap((entry): readonly CheckBreach[] => {
      const { id, pipeline, parameters, range } = entry;
      const source = sourceOf(entry, paths);
      if (source === undefined) {
        const message = `The shared pipeline "${id}" is "${pipeline}", ${whyNone(pipeline, paths)}`;
        return [{ check, file, subject: id, message, range }];
      }
      const variables = variablesOf(source);
      if (variables === undefined) return [];
      return parameters.flatMap((parameter) => {
        const reason = refusalOf(parameter, variables);
        if (reason === undefined) return [];
        const { name } = parameter;
        const message = `The shared pipeline "${id}" has the parameter "${name}", but ${reason}.`;
        return { check, file, subject: `${id} ${name}`, message, range: parameter.range };
      });
    });
}

/** Why no pipeline has the path of an entry, and what to write instead. */
function whyNone(pipeline: string, paths: ReadonlySet<string>): string {
  const called = resolveCall(pipeline, paths);
  const result = 'it will be left out, and calls of it fail.';
  if (called === undefined) return `which does not exist: ${result}${meantSentence(pipeline, paths)}`;
  return `which the platform does not read as "${called}": ${result} Write "${withoutSuffix(called)}".`;
}

function refusalOf(
  { name, type }: SharedParameter,
  variables: Exclude<DeclaredVariables, undefined>,
): string | undefined {
  const declared = variables.get(name);
  if (declared === undefined) {
    return `its pipeline declares no such variable${meantClause(name, variables.keys())}`;
  }
  if (declared.isPrivate) return 'in its pipeline this variable is private';
  if ((type === 'GRID') === (declared.type === 'GRID')) return undefined;
  return `its type is ${type}, and the variable of its pipeline is of type ${declared.type}`;
}
