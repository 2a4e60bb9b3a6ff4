import { createHash } from 'node:crypto';
import { FileProblems, type TableName } from '../../../engine/index.ts';
import type { CallFolder } from '../../../lib/pipelines/model/call-root.ts';
import type { DeclaredTables } from './declared-tables.ts';
import { filesBeside, sharedReader, type TestProject } from './test-project.ts';

/** What tests read of a project, with the answers. It does not keep the project itself. */
export interface Reads {
  readonly kind: TestProject['kind'];
  /** The prefix of the project's shared pipelines, and their file: `config-dir` names its folder. */
  readonly sharedSource: TestProject['sharedSource'];
  /** Which pipelines exist decides what a call means. */
  readonly pipelines: readonly string[];
  readonly texts: Map<string, string | undefined>;
  readonly sizes: Map<string, number | undefined>;
  /** Digests of files that are not text. */
  readonly digests: Map<string, string | undefined>;
  readonly presence: Map<string, boolean>;
  readonly mentions: Map<string, boolean>;
  /** From which folder calls resolve: by `set` the setting, by `found` what was found if a call asked for it; both as JSON. */
  readonly roots: Map<string, string>;
  /** By the table's name as JSON: the columns as JSON. */
  readonly declared: Map<string, string>;
  /** The files of `schemas` that declare these tables. */
  readonly declaredIn: Set<string>;
}

/** A project that records what is read of it. */
export interface TracedProject {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
  readonly reads: Reads;
}

/**
 * Wraps a project so that reads are recorded.
 * @param declared the tables that the project declares
 */
export function traceReads(project: TestProject, declared: DeclaredTables): TracedProject {
  const { kind, pipelines, sharedSource, roots } = project;
  const reads: Reads = {
    kind,
    sharedSource,
    pipelines,
    texts: new Map(),
    sizes: new Map(),
    digests: new Map(),
    presence: new Map(),
    mentions: new Map(),
    roots: new Map([['set', rootKey(roots.set)]]),
    declared: new Map(),
    declaredIn: new Set(),
  };
  const text: TestProject['text'] = (path) => {
    recorded(reads.texts, path, textOrProblem(project, path));
    return project.text(path);
  };
  const has: TestProject['has'] = (path) => recorded(reads.presence, path, project.has(path));
  const size: TestProject['size'] = (path) => recorded(reads.sizes, path, project.size(path));
  const bytes: TestProject['bytes'] = (path) => {
    const content = project.bytes(path);
    recorded(reads.digests, path, digestOf(content));
    return content;
  };
  const readShared = sharedReader(sharedSource, text);
  return {
    reads,
    declared(table) {
      const columns = declared(table);
      recorded(reads.declared, JSON.stringify(table), columnsKey(columns));
      const [first] = columns?.schema ?? [];
      if (first !== undefined) reads.declaredIn.add(first.place.file);
      return columns;
    },
    project: {
      ...project,
      text,
      has,
      size,
      bytes,
      mentions: (variable) => recorded(reads.mentions, variable, project.mentions(variable)),
      pipeline(path) {
        recorded(reads.texts, path, textOrProblem(project, path));
        return project.pipeline(path);
      },
      beside: filesBeside({ has, size, text, bytes }),
      roots: {
        set: roots.set,
        taken: roots.taken,
        found() {
          const root = roots.found();
          reads.roots.set('found', rootKey(root));
          return root;
        },
      },
      get shared() {
        return readShared();
      },
    },
  };
}

/** What each record of answers asks of a project and the tables that it declares. */
const questions = {
  texts: (path, project) => textOrProblem(project, path),
  sizes: (path, project) => project.size(path),
  digests: (path, project) => orProblem(() => digestOf(project.bytes(path))),
  presence: (path, project) => project.has(path),
  mentions: (variable, project) => project.mentions(variable),
  roots: (which, { roots }) => rootKey(which === 'set' ? roots.set : roots.found()),
  declared: (table, _, tables) => columnsKey(tables(JSON.parse(table) as TableName)),
} satisfies Record<
  string,
  (question: string, project: TestProject, tables: DeclaredTables) => string | number | boolean | undefined
>;

/** A kind of question about a project, which is also the name of its record of answers. */
export type QuestionKind = keyof typeof questions;
export const questionKinds = Object.keys(questions) as readonly QuestionKind[];

/** The answer of a project to a question of a test, as a text. Equal texts mean that the test would read the same. */
export function answerOf(
  kind: QuestionKind,
  question: string,
  { project, tables }: { readonly project: TestProject; readonly tables: DeclaredTables },
): string | number | boolean | undefined {
  return questions[kind](question, project, tables);
}

/**
 * Compares reads with a project and the tables that it declares. Undefined if tests would read the same again;
 * otherwise the files that differ.
 */
export function changedReads(
  reads: Reads,
  project: TestProject,
  tables: DeclaredTables,
): ReadonlySet<string> | undefined {
  const { kind, sharedSource, pipelines } = reads;
  const differing = (of: QuestionKind): string[] =>
    Array.from<readonly [string, unknown]>(reads[of]).flatMap(([question, answer]) =>
      answerOf(of, question, { project, tables }) === answer ? [] : [question],
    );
  const files = new Set([
    ...differing('texts'),
    ...differing('sizes'),
    ...differing('digests'),
    ...differing('presence'),
    ...(pipelines === project.pipelines
      ? []
      : new Set(pipelines).symmetricDifference(new Set(project.pipelines))),
  ]);
  const isSame =
    files.size === 0 &&
    kind === project.kind &&
    sharedSource?.prefix === project.sharedSource?.prefix &&
    sharedSource?.file === project.sharedSource?.file &&
    differing('mentions').length === 0 &&
    differing('roots').length === 0 &&
    differing('declared').length === 0;
  return isSame ? undefined : files;
}

function textOrProblem(project: TestProject, path: string): string | undefined {
  return orProblem(() => project.text(path));
}

/** A file that cannot be read has its problem in place of its content. */
function orProblem(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileProblems) return error.message;
    throw error;
  }
}

function recorded<Answer>(answers: Map<string, Answer>, question: string, answer: Answer): Answer {
  answers.set(question, answer);
  return answer;
}

function digestOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
}

/** Only what decides where calls lead. */
function rootKey(root: CallFolder | undefined): string {
  return JSON.stringify(root === undefined ? null : [root.folder, root.calledAs]);
}

function columnsKey(columns: ReturnType<DeclaredTables>): string {
  return JSON.stringify(columns ?? null);
}
