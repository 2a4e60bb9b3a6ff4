import { createHash } from 'node:crypto';
import { scriptFacts } from '../../../lib/pipelines/checks/missing-file.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { overlayProject } from '../../pipeline-tests/files/overlay-project.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { type Fault, withEdits } from '../faults/fault.ts';
import { readable } from './readable.ts';
import { pipelineFaults, sqlFileFaults } from '../faults/file-faults.ts';

/** The files into which changes are planted, in order: pipelines, and files with SQL that a component runs. */
export function changeableFiles(project: TestProject): readonly string[] {
  const pipelines = project.pipelines.filter((file) => !project.isHidden(file));
  const scripts = pipelines.flatMap((file) => {
    const document = readable(() => project.pipeline(file));
    if (document === undefined || document.problems.length > 0) return [];
    return scriptFacts(document).flatMap(({ path, isSql }) =>
      isSql === true && path !== undefined && project.has(path) ? [path] : [],
    );
  });
  return [...new Set([...pipelines, ...scripts])].toSorted(compareTexts);
}

/** All changes that can be planted into a file; empty for a file that cannot be read. */
export function faultsOf(file: string, project: TestProject): readonly Fault[] {
  if (kindOf(file) === undefined) {
    const text = readable(() => project.text(file));
    return text === undefined ? [] : sqlFileFaults(file, text, project.kind);
  }
  const document = readable(() => project.pipeline(file));
  return document === undefined ? [] : pipelineFaults(document, project.kind);
}

/** The components that run a file with SQL, each as `pipeline#Component`. */
export function runnersOf(file: string, project: TestProject): readonly string[] {
  return project.pipelines.flatMap((pipeline) => {
    const document = readable(() => project.pipeline(pipeline));
    if (document === undefined || document.problems.length > 0) return [];
    return scriptFacts(document).flatMap(({ path, component }) =>
      path === file ? [`${pipeline}#${component}`] : [],
    );
  });
}

/** The text of a file with a planted change. */
export function mutantText({ file, edits }: Pick<Fault, 'file' | 'edits'>, project: TestProject): string {
  const text = kindOf(file) === undefined ? project.text(file) : project.pipeline(file)?.source.text;
  return withEdits(text ?? '', edits);
}

/** The project with a planted change. The files on disk stay as they are. */
export function mutantProject(fault: Pick<Fault, 'file' | 'edits'>, project: TestProject): TestProject {
  return overlayProject(project, {
    contents: new Map([[fault.file, Buffer.from(mutantText(fault, project))]]),
  });
}

/**
 * Sorts changes in a random order that the seed determines, so that the first ones are a sample. A change added to
 * a file does not alter the order of the others.
 */
export function inSeededOrder(faults: readonly Fault[], seed: number): readonly Fault[] {
  const keyed = faults.map((fault) => ({
    fault,
    key: createHash('sha256').update(`${seed}:${fault.id}`).digest('hex'),
  }));
  return keyed.toSorted((a, b) => compareTexts(a.key, b.key)).map(({ fault }) => fault);
}
