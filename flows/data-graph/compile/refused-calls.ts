import { calledPath } from '../../../lib/pipelines/model/calls.ts';
import { type CallFact, callFacts } from '../../../lib/pipelines/checks/call-facts.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import {
  declaredVariables,
  passingBreaches,
  refusedVariables,
} from '../../../lib/pipelines/checks/passed-variable.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import type { CompileFinding } from './compile-report.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

/**
 * The findings about calls that fail in every run, because the called pipeline does not start with the passed
 * values.
 */
export function refusedCalls({
  project,
  pipelines,
}: Pick<DataGraph, 'project' | 'pipelines'>): readonly CompileFinding[] {
  const targets = callTargetsOf(project);
  return [...pipelines.keys()].flatMap((pipeline) => {
    const document = project.pipeline(pipeline);
    if (document === undefined || document.problems.length > 0) return [];
    return factsOf(document).flatMap((call): readonly CompileFinding[] => {
      if (document.components.get(call.component)?.skipped === true) return [];
      const path = calledPath(call, targets);
      const called = path === undefined ? undefined : project.pipeline(path);
      const variables = called && declaredVariables(called);
      const breaches = [
        ...passingBreaches(pipeline, call),
        // A variable that the called pipeline does not declare may be one of the project.
        ...(path === undefined || variables === undefined
          ? []
          : refusedVariables(pipeline, call, { path, variables }, () => true)),
      ];
      return breaches.map(({ subject, message, range: { line, column } }) => ({
        file: pipeline,
        line,
        column,
        rule: 'cannot-run',
        severity: 'error',
        pipeline,
        component: call.component,
        tables: [],
        subject: `passes ${subject}`,
        message: message.replace(/^The (.*)\.$/s, 'the $1'),
        related: [],
      }));
    });
  });
}

/** An editor asks again after each edit. */
const factsByDocument = new WeakMap<PipelineDocument, readonly CallFact[]>();

function factsOf(document: PipelineDocument): readonly CallFact[] {
  const facts = factsByDocument.get(document) ?? callFacts(document);
  factsByDocument.set(document, facts);
  return facts;
}
