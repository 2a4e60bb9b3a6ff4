import { createHash } from 'node:crypto';
import { FileProblems, type TableName } from '../../../engine/index.ts';
import type { DeclaredTables } from './declared-tables.ts';
import { filesBeside, sharedReader, type TestProject } from './test-project.ts';

/** What tests read of a project, with the answers that they got. It does not keep the project itself. */
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
  /** By the table's name as JSON: the columns as JSON. */
  readonly declared: Map<string, string>;
  /** The files of `schemas` that declare these tables. */
  readonly declaredIn: Set<string>;
}

/** A project whose reads are recorded. */
export interface TracedProject {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
  readonly reads: Reads;
}

/** @param declared the tables that the project declares */
export function traceReads(project: TestProject, declared: DeclaredTables): TracedProject {
  const { kind, pipelines, sharedSource } = project;
  const reads: Reads = {
    kind,
    sharedSource,
    pipelines,
    texts: new Map(),
    sizes: new Map(),
    digests: new Map(),
    presence: new Map(),
    mentions: new Map(),
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
      get shared() {
        return readShared();
      },
    },
  };
}

/**
 * Compares reads with a project and the tables that it declares: undefined if tests would read the same again,
 * otherwise the files that differ.
 */
export function changedReads(
  { kind, sharedSource, pipelines, texts, sizes, digests, presence, mentions, declared }: Reads,
  project: TestProject,
  tables: DeclaredTables,
): ReadonlySet<string> | undefined {
  const files = new Set([
    ...differing(texts, (path) => textOrProblem(project, path)),
    ...differing(sizes, project.size),
    ...differing(digests, (path) => digestOf(project.bytes(path))),
    ...differing(presence, project.has),
    ...(pipelines === project.pipelines
      ? []
      : new Set(pipelines).symmetricDifference(new Set(project.pipelines))),
  ]);
  const isSame =
    files.size === 0 &&
    kind === project.kind &&
    sharedSource?.prefix === project.sharedSource?.prefix &&
    sharedSource?.file === project.sharedSource?.file &&
    differing(mentions, project.mentions).length === 0 &&
    differing(declared, (table) => columnsKey(tables(JSON.parse(table) as TableName))).length === 0;
  return isSame ? undefined : files;
}

/** A file that cannot be read has its problem in place of its text. */
function textOrProblem(project: TestProject, path: string): string | undefined {
  try {
    return project.text(path);
  } catch (error) {
    if (error instanceof FileProblems) return error.message;
    throw error;
  }
}

function recorded<Answer>(answers: Map<string, Answer>, question: string, answer: Answer): Answer {
  answers.set(question, answer);
  return answer;
}

function differing<Answer>(answers: Map<string, Answer>, ask: (question: string) => Answer): string[] {
  return [...answers].filter(([question, answer]) => ask(question) !== answer).map(([question]) => question);
}

function digestOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
}

function columnsKey(columns: ReturnType<DeclaredTables>): string {
  return JSON.stringify(columns ?? null);
}
