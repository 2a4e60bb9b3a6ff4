import { scriptFacts } from '../../../lib/pipelines/checks/missing-file.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { textsOf } from './mentioned-tables.ts';
import { readText } from './read-text.ts';

/** The texts in a component's parameters, and the text of its script. */
export function componentTexts(
  component: Component,
  document: PipelineDocument,
  project: TestProject,
): readonly string[] {
  const [fact] = scriptFacts({ ...document, components: new Map([[component.name, component]]) });
  const path = fact?.path;
  const script = path === undefined ? undefined : readText(path, project);
  return [...textsOf(component), ...(script === undefined ? [] : [script])];
}

interface OfProject {
  readonly project: TestProject;
}

/** Whether all texts of a component are the same as at the base. */
export function isAsAtBase(
  pipeline: string,
  component: string,
  { project }: OfProject,
  { project: base }: OfProject,
): boolean {
  const [now, before] = [project, base].map((side) => {
    const document = side.pipeline(pipeline);
    const found = document?.components.get(component);
    return document && found && JSON.stringify([found.type, componentTexts(found, document, side)]);
  });
  return now !== undefined && now === before;
}
