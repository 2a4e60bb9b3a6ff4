import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { LeftPart, NewFile } from '../../flows/init/init-part.ts';
import { fileOf } from '../../flows/init/plan-init.ts';
import type { Survey } from '../../flows/init/survey.ts';
import type { PipelineTest } from '../../flows/pipeline-tests/first-test/write-first-test.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { kindOf, withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';
import { programName } from '../terminal/program-name.ts';
import type { Session } from '../kit/session.ts';

/** Pipelines to try, until one succeeds in its test. */
const maxTried = 6;

/** The first test of the project, as `millrace test --init` writes it: of a small pipeline that runs here. */
export async function planFirstTest(
  { io, flow: { clock, signal, progress } }: Session,
  survey: Survey,
  warehouse: ProjectConfig['engine']['warehouse'],
): Promise<NewFile | LeftPart> {
  const { tests, repository, directory, pipelines } = survey;
  const [test] = tests;
  if (test !== undefined) return { part: 'test', path: test, reason: 'exists already', exists: true };
  const under = directory === '' ? '' : `${directory}/`;
  const { openTestProject, projectOptions } =
    await import('../../flows/pipeline-tests/files/test-project.ts');
  const { writeFirstTests } = await import('../../flows/pipeline-tests/first-test/write-first-test.ts');
  const { knownTables } = await import('../../flows/data-graph/bind/known-tables.ts');
  const folder = await realpath(path.join(repository.root, directory));
  const project = openTestProject(folder, warehouse, projectOptions(survey.config));
  const candidates = pipelines
    .map((file) => file.slice(under.length))
    .filter((file) => project.has(file))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (project.size(a) ?? 0) - (project.size(b) ?? 0))
    .slice(0, maxTried);
  const [first] = candidates;
  if (first === undefined) return { part: 'test', reason: 'there is no pipeline to test', exists: false };
  const hint = [
    `To write a test of a pipeline: ${programName(io)} test --init ${shellWord(withoutSuffix(first))}`,
  ];
  let best: PipelineTest | undefined;
  try {
    progress.step('Writing a first test');
    const known = { knownTables: knownTables(project, signal) };
    for await (const firstTest of writeFirstTests(candidates, project, { clock, signal, ...known })) {
      if ((firstTest.first?.text ?? '') !== '') best ??= firstTest;
      if (isGood(firstTest)) {
        best = firstTest;
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'engine-missing') throw error;
    return { part: 'test', reason: error.message, exists: false, hint };
  }
  if (best?.first === undefined)
    return { part: 'test', reason: 'the pipelines that were tried do not run here', exists: false, hint };
  return fileOf(survey, 'test', `${under}${best.file}`, {
    text: best.first.text,
    about: `first test of ${best.pipeline}`,
  });
}

/** Transformations first: most of them need no mock. */
function rankOf(pipeline: string): number {
  return kindOf(pipeline) === 'transformation' ? 0 : 1;
}

function isGood({ first }: PipelineTest): boolean {
  return first !== undefined && first.text !== '' && !first.expectsFailure && first.replaced.length === 0;
}
