import type { Place } from '../../../engine/index.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { fingerprints } from '../../../lib/pipelines/fingerprint.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes, type PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { readText } from './read-text.ts';

/** A pipeline whose file cannot be read, so that nothing is known about it. */
export interface UnreadablePipeline extends Place {
  readonly pipeline: string;
  readonly message: string;
}

/**
 * The type of the finding about an unreadable pipeline. No setting or baseline applies to it, because it may hide
 * other findings.
 */
export const unreadableError = 'designer/document-parse-error';

/** The pipelines of a project that cannot be read, each with the first reason. */
export function unreadablePipelines(project: TestProject): readonly UnreadablePipeline[] {
  const documents = unreadableDocuments(project).map(({ path, problems: [problem] }) => {
    const { line = 1, column = 1, message = '' } = problem ?? {};
    const reason = message.replace(/^The file cannot be read: /, '');
    const text = `this pipeline cannot be read, so its tables and calls are not known: ${reason}`;
    return { pipeline: path, file: path, line, column, message: text };
  });
  return [...documents, ...unreadFiles(project)].toSorted((a, b) => compareTexts(a.file, b.file));
}

/** Pipelines, and folders with pipelines, that are not plain files and folders. */
function unreadFiles(project: TestProject): readonly UnreadablePipeline[] {
  return [...project.unread].flatMap(([path, { what, hint, isFolder }]) => {
    if ((!isFolder && kindOf(path) === undefined) || project.isHidden(path)) return [];
    const message = isFolder
      ? `the pipelines of this folder are not read, so their tables and calls are not known: the folder is ${what}: ${hint}`
      : `this pipeline is not read, so its tables and calls are not known: it is ${what}: ${hint}`;
    return [{ pipeline: path, file: path, line: 1, column: 1, message }];
  });
}

function unreadableDocuments(project: TestProject): readonly PipelineDocument[] {
  return project.pipelines.flatMap((path) => {
    const document = project.isHidden(path) ? undefined : project.pipeline(path);
    return document === undefined || document.problems.length === 0 ? [] : [document];
  });
}

/**
 * The texts of pipelines that cannot be read, because they may define any table and set any variable that they
 * name. Of a very large file, only the beginning.
 */
export function unreadableTexts(project: TestProject): readonly string[] {
  return unreadableDocuments(project).map(({ path, fault }) => {
    // What is not UTF-8 still has names of ASCII letters.
    const text = fault === undefined ? readText(path, project) : asciiText(path, project);
    return text?.slice(0, 4 * maxPipelineBytes) ?? '';
  });
}

function asciiText(path: string, project: TestProject): string {
  return Buffer.from(project.bytes(path) ?? []).toString('latin1');
}

/** Findings about unreadable pipelines, for a report that is not about compilation. */
export function unreadableFindings(
  pipelines: readonly UnreadablePipeline[],
  prefix: string,
): readonly Finding[] {
  const rule = 'compile/unreadable-pipeline';
  const ids = fingerprints(pipelines.map(({ file }) => ({ rule, file, subject: '' })));
  return pipelines.map(({ file, line, column, message }, index) => ({
    rule,
    severity: 'error',
    file: `${prefix}${file}`,
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    subject: '',
    message,
    errorType: unreadableError,
    source: 'millrace',
    state: 'new',
    fingerprint: ids[index] ?? '',
  }));
}

/** A text with the number of pipelines that could be read: `2 of 3 pipelines`, or `3 pipelines` if all could. */
export function readCount(total: number, unreadable: number): string {
  const all = numberOf(total, 'pipeline');
  return unreadable === 0 ? all : `${total - unreadable} of ${all}`;
}
