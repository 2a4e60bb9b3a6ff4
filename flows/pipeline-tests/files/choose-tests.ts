import { Failure } from '../../../lib/core/errors/failure.ts';
import { hintAt } from '../../../lib/core/text/look-alike.ts';
import { resolveNames } from '../../../lib/core/files/resolve-names.ts';
import { resolveCall } from '../../../lib/pipelines/model/calls.ts';
import { closestPipeline } from '../../../lib/pipelines/model/closest-pipeline.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { isTest, isTestFile, testFiles, testFilesOf, mayBeMisnamed } from './find-tests.ts';
import type { TestProject } from './test-project.ts';

export interface TestChoice {
  /** Test files, pipelines, folders or globs; without any, all tests of the project. */
  readonly names: readonly string[];
  /** The folder that the names are relative to. */
  readonly cwd: string;
  /** How the user names another folder of a project: `--working-directory`. */
  readonly folderOption: string;
}

/**
 * The test files that the arguments name. Throws Failure 'usage' for a name that is neither a test nor a pipeline,
 * and 'no-test'.
 */
export async function chooseTests(
  { names, cwd, folderOption }: TestChoice,
  project: TestProject,
): Promise<readonly string[]> {
  const all = testFiles(project);
  if (names.length === 0) {
    if (all.length > 0) return all;
    const message = `The project in ${project.directory} has no test.${otherNameText(project)}${otherProjectsText(project, folderOption)}`;
    throw new Failure(
      'no-test',
      project.pipelines.length === 0 ? noPipeline(project, folderOption) : { message },
    );
  }
  const resolved = await resolveNames(names, {
    cwd,
    root: project.directory,
    paths: project.paths,
    candidates: [...all, ...project.pipelines],
    what: 'test or pipeline',
    hint: 'Give test files, pipelines, folders or globs.',
  });
  // A pipeline may be named as a call names it, without its suffix.
  const chosen = resolved.map((name) => (project.has(name) ? name : (resolveCall(name, project) ?? name)));
  for (const name of chosen) {
    if (project.has(name) && (isTest(name, project) || kindOf(name) !== undefined)) continue;
    const message = project.has(name)
      ? `"${name}" is neither a test file nor a pipeline.`
      : `"${name}" does not exist in the project.${hintAt(name, closestPipeline(name, [...project.pipelines, ...all]))}`;
    const hint = 'Give a *.test.yaml file, a pipeline, or a folder or glob that finds some.';
    throw new Failure('usage', { message, hint, where: { input: 'files' } });
  }
  const files = testFilesOf(chosen, project);
  if (files.length > 0) return files;
  throw new Failure('no-test', { message: `No test was found for ${names.join(', ')}.` });
}

/** Most probably another folder was meant. */
function noPipeline(project: TestProject, folderOption: string) {
  return {
    message: `The project in ${project.directory} has no test, and no pipeline.${otherNameText(project)}${otherProjectsText(project, folderOption)}`,
    hint: `Start the command in the folder of your project, or name that folder with ${folderOption}. The name of a pipeline ends in .orch.yaml or .tran.yaml, and the name of a test in .test.yaml.`,
  };
}

/** A test file that is left out, or a file that was meant to be one. */
function otherNameText({ paths, isHidden }: TestProject): string {
  const hidden = paths.find((path) => isTestFile(path) && isHidden(path));
  if (hidden !== undefined)
    return ` ${hidden} is left out, because a name in its path begins with a dot: give the file itself, or let files.include in millrace.yaml match its pipeline.`;
  const other = paths.find(mayBeMisnamed);
  return other === undefined ? '' : ` ${other} is not a test: its name must end in .test.yaml.`;
}

function otherProjectsText({ otherProjects }: TestProject, option: string): string {
  const [first] = otherProjects;
  return first === undefined
    ? ''
    : ` Folders below it are projects of their own, such as ${first}: to test that one, give ${option} ${first}.`;
}
