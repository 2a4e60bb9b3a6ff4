import type { FileProblem, Located } from '../../../engine/index.ts';
import { meantClause } from '../../../lib/core/text/did-you-mean.ts';
import { didYouMean } from '../../../lib/core/text/look-alike.ts';
import { calledPath, callsOf, isOwnCall, resolveCall } from '../../../lib/pipelines/model/calls.ts';
import { closestPipeline } from '../../../lib/pipelines/model/closest-pipeline.ts';
import { intendedName, withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from './test-project.ts';

/** Names that a pipeline file cannot have. */
const misnamed = ['', '.yaml', '.yml'];

/** The message about the name of a pipeline that the project does not have, with the closest name. */
export function unknownPipeline(text: string, project: TestProject): string {
  const { directory, paths } = project;
  const isMeant = (file: string) => {
    const intended = intendedName(file);
    return intended !== undefined && withoutSuffix(intended) === withoutSuffix(text);
  };
  const other = paths.find((file) => misnamed.some((suffix) => file === `${text}${suffix}`) || isMeant(file));
  if (other !== undefined) return `${other} is not a pipeline: its name must end in .orch.yaml or .tran.yaml`;
  const meant = closestPipeline(text, project.pipelines);
  const hint =
    meant === undefined
      ? `a path from the root of the project, ${directory}, is needed`
      : didYouMean(withoutSuffix(text), meant);
  return `the pipeline "${text}" does not exist in the project; ${hint}`;
}

/** The problem of a component name that matches neither a component nor `pipeline path#Component`. */
export function unknownName(name: Located, document: PipelineDocument, project: TestProject): FileProblem {
  const [pipeline = '', component] = name.text.split('#');
  if (component === undefined) return unknownIn(name, name.text, document);
  const called = project.pipeline(resolveCall(pipeline, project) ?? '');
  return called === undefined
    ? { ...name.place, message: unknownPipeline(pipeline, project) }
    : unknownIn(name, component, called);
}

/** The problem of a component that a pipeline does not have. */
export function unknownIn({ place }: Located, component: string, document: PipelineDocument): FileProblem {
  const hint = meantClause(component, document.components.keys());
  return { ...place, message: `the pipeline ${document.path} has no component "${component}"${hint}` };
}

/** Whether a pipeline never calls another one, directly or indirectly. A name with a variable may mean any pipeline. */
export function neverCalls(document: PipelineDocument, other: string, project: TestProject): boolean {
  const seen = new Set([document.path]);
  const waiting = [document];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const call of callsOf(next)) {
      if (!isOwnCall(call, project)) return false;
      const called = calledPath(call, project);
      const calledDocument = called === undefined || seen.has(called) ? undefined : project.pipeline(called);
      if (calledDocument === undefined) continue;
      if (calledDocument.path === other) return false;
      seen.add(calledDocument.path);
      waiting.push(calledDocument);
    }
  }
  return true;
}
