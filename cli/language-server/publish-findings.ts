import path from 'node:path';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import type { FlowContext } from '../../flows/context/context.ts';
import { reviewOpenPipelines, reviewOpenSettings } from '../../flows/editor/review-open-files.ts';
import { type Finding, type Range, wholeFile } from '../../lib/core/outcomes/finding.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import { relative } from './open-documents.ts';
import { type FileKind, kindOfFile } from './file-kind.ts';
import type { OpenedProject, OpenProjects } from './open-projects.ts';
import type { ProjectCompiler } from './project-compiler.ts';
import { toDiagnostic, toProtocolRange } from './protocol-range.ts';

/** Sends the findings of open documents to the editor. */
export interface FindingsPublisher {
  /** Publishes the findings of all open documents; an earlier run that has not ended is stopped. */
  schedule(): void;
  /** Publishes nothing more. Resolves when the last run has ended. */
  stop(): Promise<void>;
}

interface PublisherParts {
  readonly documents: OpenDocuments;
  readonly projects: OpenProjects;
  readonly compiler: ProjectCompiler;
  readonly flow: FlowContext;
  publish(document: OpenDocument, diagnostics: readonly Diagnostic[]): void;
  /** A defect: the findings of a project could not be computed. */
  report(error: unknown): void;
}

/**
 * Creates the publisher. It reviews once at a time. A change during a review stops it; the next review includes all
 * changes up to then.
 */
export function createFindingsPublisher(parts: PublisherParts): FindingsPublisher {
  let running: { readonly cancel: AbortController; readonly ended: Promise<void> } | undefined;
  let runAgain = false;
  let stopped = false;
  const compiled: Compiled = new Map();
  const run = async (cancel: AbortController) => {
    try {
      await publishAll(parts, compiled, cancel.signal);
    } catch (error) {
      if (!cancel.signal.aborted) parts.report(error);
    }
    running = undefined;
    if (runAgain) start();
  };
  const start = () => {
    runAgain = false;
    if (stopped) return;
    const cancel = new AbortController();
    running = { cancel, ended: Promise.resolve() };
    running = { cancel, ended: run(cancel) };
  };
  return {
    schedule() {
      runAgain = true;
      if (running === undefined) start();
      else running.cancel.abort(new Error('the texts changed'));
    },
    async stop() {
      stopped = true;
      running?.cancel.abort(new Error('the server ends'));
      await running?.ended;
    },
  };
}

/** What the last compilation has found in open documents, by URI: it is shown until the next one has ended. */
type Compiled = Map<string, readonly Diagnostic[]>;

async function publishAll(parts: PublisherParts, compiled: Compiled, signal: AbortSignal): Promise<void> {
  const { documents, projects } = parts;
  const compile: (() => Promise<void>)[] = [];
  const folders = Map.groupBy(documents.all(), (document) => projects.folderOf(document.path));
  for (const [folder, folderDocuments] of folders) {
    try {
      const project = await projects.open(folder, signal);
      const shown = new Map<OpenDocument, readonly Diagnostic[]>();
      const publish = (document: OpenDocument, diagnostics: readonly Diagnostic[]) => {
        signal.throwIfAborted();
        shown.set(document, diagnostics);
        parts.publish(document, [...diagnostics, ...(compiled.get(document.uri) ?? [])]);
      };
      await publishProject({ ...parts, publish }, project, folderDocuments, signal);
      if (project.configFailure === undefined)
        compile.push(() => publishCompiled(parts, project, { shown, compiled, signal }));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      for (const document of folderDocuments) parts.publish(document, notReviewed(error));
    }
  }
  // Binding takes longer than a review: all reviews are shown first.
  for (const work of compile) await work();
}

/** Adds what a compilation finds to the diagnostics of documents. */
async function publishCompiled(
  { compiler, publish }: PublisherParts,
  project: OpenedProject,
  {
    shown,
    compiled,
    signal,
  }: {
    readonly shown: ReadonlyMap<OpenDocument, readonly Diagnostic[]>;
    readonly compiled: Compiled;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const findings = await findingsOrFailure(compiler, project, signal);
  signal.throwIfAborted();
  for (const [document, diagnostics] of shown) {
    const file = nameIn(project, relative(project.request.repository.root, document.path));
    const own =
      findings instanceof Failure
        ? unread(findings, 'Not compiled')
        : (findings.get(file) ?? []).map((finding) => toDiagnostic(finding, document.text?.getText()));
    const before = compiled.get(document.uri) ?? [];
    compiled.set(document.uri, own);
    if (JSON.stringify(own) !== JSON.stringify(before)) publish(document, [...diagnostics, ...own]);
  }
}

async function findingsOrFailure(
  compiler: ProjectCompiler,
  project: OpenedProject,
  signal: AbortSignal,
): Promise<Failure | ReadonlyMap<string, readonly Finding[]>> {
  try {
    return await compiler.findings(project, signal);
  } catch (error) {
    if (error instanceof Failure && !signal.aborted) return error;
    throw error;
  }
}

async function publishProject(
  parts: PublisherParts,
  project: OpenedProject,
  open: readonly OpenDocument[],
  signal: AbortSignal,
): Promise<void> {
  const flow = { ...parts.flow, signal };
  const { root } = project.request.repository;
  const files = open.map((document) => {
    const file = relative(root, document.path);
    return { document, file, kind: kindOfFile(file, project) };
  });
  const { publish } = parts;
  const ofKind = (kind: FileKind) => files.filter((file) => file.kind === kind);
  const pathsOf = (kind: FileKind) => ofKind(kind).map(({ file }) => file);
  const { configFailure } = project;
  if (configFailure !== undefined) {
    for (const { document, file, kind } of files) {
      if (file === project.configFile) publish(document, settingsProblems(configFailure));
      else publish(document, kind === undefined ? [] : notReviewed(configFailure));
    }
    return;
  }
  const show = (kind: FileKind, findings: ReadonlyMap<string, readonly Finding[]>) => {
    for (const { document, file } of ofKind(kind)) {
      const fileFindings = findings.get(file);
      publish(
        document,
        fileFindings?.map((finding) => toDiagnostic(finding, document.text?.getText())) ?? ignoredByGit,
      );
    }
  };
  show('pipeline', await reviewOpenPipelines(project, pathsOf('pipeline'), flow));
  for (const { document, file } of ofKind('test'))
    publish(document, await testDiagnostics(parts, project, file));
  show('settings', await reviewOpenSettings(project, pathsOf('settings'), flow));
}

async function testDiagnostics(
  { documents }: PublisherParts,
  project: OpenedProject,
  file: string,
): Promise<readonly Diagnostic[]> {
  const { openTests, testFileProblems } = await import('../../flows/editor/test-file-problems.ts');
  const tests = openTests(project, documents.filesIn(project.request.repository.root));
  const problems = await testFileProblems(file.slice(file.length - nameIn(project, file).length), tests);
  return problems.map(({ range, message }) => problemAt(range, message, 'test-invalid'));
}

/** The path of a file in the project. */
function nameIn({ request }: OpenedProject, file: string): string {
  return path.posix.relative(request.directory, file);
}

const ignoredByGit: readonly Diagnostic[] = [
  {
    range: toProtocolRange(wholeFile),
    severity: 3,
    source: 'millrace',
    message: 'Not reviewed: git ignores this file.',
  },
];

/** The problems of `millrace.yaml`, each at its place. */
function settingsProblems({ details, where, message }: Failure): readonly Diagnostic[] {
  const listed = details['problems'] as
    readonly { line: number; column: number; message: string }[] | undefined;
  const problems = listed ?? [{ line: where?.line ?? 1, column: where?.column ?? 1, message }];
  return problems.map((problem) => {
    const range = {
      line: problem.line,
      column: problem.column,
      endLine: problem.line,
      endColumn: problem.column + 1,
    };
    return problemAt(range, problem.message, 'config-invalid');
  });
}

/** The reason why a file was not reviewed. On the command line, the review would end with this error. */
function notReviewed(failure: Failure): readonly Diagnostic[] {
  return unread(failure, 'Not reviewed');
}

function unread({ code, message, where, hint }: Failure, what: string): readonly Diagnostic[] {
  const place = where?.file === undefined ? '' : `${where.file}:${where.line ?? 1}: `;
  return [problemAt(wholeFile, `${what}: ${place}${message} ${hint}`, code)];
}

function problemAt(range: Range, message: string, code: string): Diagnostic {
  return { range: toProtocolRange(range), severity: 1, code, source: 'millrace', message };
}
