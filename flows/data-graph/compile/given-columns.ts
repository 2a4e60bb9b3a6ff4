import { callsOf, calledPath } from '../../../lib/pipelines/model/calls.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { type CompileFinding, definitionPlace } from './compile-report.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

/** The findings about columns that a test gives to a table which the project creates without them. */
export function givenColumns({ tests, tables, project }: DataGraph): readonly CompileFinding[] {
  return tests.given.flatMap(({ table, written, pipeline, test }) => {
    const known = tables.isOutside(table) ? undefined : tables.find(table);
    if (known?.areNamesComplete !== true) return [];
    const names = new Set(known.columns.map(({ name }) => name));
    const missing = written.filter(({ name }) => !names.has(name));
    if (missing.length === 0) return [];
    const definitions = tables.definitionsOf(table);
    const ran = reachedFrom(pipeline, project);
    // The test says how the table was before the pipeline creates it again.
    if (definitions.some((definition) => ran.has(definition.pipeline))) return [];
    const writers = [...new Set(definitions.map((definition) => withoutSuffix(definition.pipeline)))];
    return missing.map(({ name, place }): CompileFinding => ({
      ...place,
      rule: 'given-column',
      severity: 'error',
      pipeline,
      tables: [table],
      columnName: name,
      subject: `${test}: ${table.table}.${name}`,
      message: `the test "${test}" gives "${table.table}" the column "${name}", but ${listText(writers)} ${writers.length === 1 ? 'creates' : 'create'} the table without it: correct the name, or remove the column from the test`,
      related: definitions.map(definitionPlace),
    }));
  });
}

/** A pipeline with all that it calls. */
function reachedFrom(pipeline: string, project: TestProject): ReadonlySet<string> {
  const targets = callTargetsOf(project);
  const reached = new Set([pipeline]);
  for (const path of reached) {
    const document = project.pipeline(path);
    for (const call of document === undefined ? [] : callsOf(document)) {
      const called = calledPath(call, targets);
      if (called !== undefined) reached.add(called);
    }
  }
  return reached;
}
