import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { DeclaredTables } from '../files/declared-tables.ts';
import type { TestProject } from '../files/test-project.ts';
import { answerOf, type QuestionKind, questionKinds, type Reads } from '../files/trace-reads.ts';

const answers = z.array(z.tuple([z.string(), z.string()])).readonly();

/** The form in which reads of tests are stored, with a digest in place of each answer. */
export const storedReadsSchema = z.strictObject({
  /** What every test of a project depends on. */
  project: z.string(),
  texts: answers,
  sizes: answers,
  digests: answers,
  presence: answers,
  mentions: answers,
  roots: answers,
  declared: answers,
} satisfies Record<QuestionKind | 'project', z.ZodType>);

export type StoredReads = z.infer<typeof storedReadsSchema>;

export function storeReads(reads: Reads): StoredReads {
  const stored = (kind: QuestionKind) =>
    Array.from<readonly [string, Answer], [string, string]>(reads[kind], ([question, answer]) => [
      question,
      textOf(answer),
    ]);
  return {
    project: projectText(reads),
    texts: stored('texts'),
    sizes: stored('sizes'),
    digests: stored('digests'),
    presence: stored('presence'),
    mentions: stored('mentions'),
    roots: stored('roots'),
    declared: stored('declared'),
  };
}

/** Merges two records of reads, which must have the same answers to the same questions. */
export function withReads(some: StoredReads, others: StoredReads): StoredReads {
  const both = (kind: QuestionKind) => [...new Map([...some[kind], ...others[kind]])];
  return {
    project: some.project,
    texts: both('texts'),
    sizes: both('sizes'),
    digests: both('digests'),
    presence: both('presence'),
    mentions: both('mentions'),
    roots: both('roots'),
    declared: both('declared'),
  };
}

/** Checks whether tests would read the same in a project. It asks the project each question only once. */
export function readsChecker(project: TestProject, tables: DeclaredTables): (stored: StoredReads) => boolean {
  const known = new Map<string, string>();
  const now = projectText(project);
  const current = (kind: QuestionKind, question: string): string => {
    const key = `${kind} ${question}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const text = textOf(answerOf(kind, question, { project, tables }));
    known.set(key, text);
    return text;
  };
  return (stored) =>
    stored.project === now &&
    questionKinds.every((kind) =>
      stored[kind].every(([question, answer]) => current(kind, question) === answer),
    );
}

type Answer = string | number | boolean | undefined;

/** Different answers have different texts. */
function textOf(answer: Answer): string {
  return typeof answer === 'string' ? digestOf(answer) : String(answer);
}

function projectText({
  kind,
  sharedSource,
  pipelines,
}: Pick<Reads, 'kind' | 'sharedSource' | 'pipelines'>): string {
  const shared = sharedSource === undefined ? null : [sharedSource.prefix, sharedSource.file];
  return digestOf(JSON.stringify([kind, shared, pipelines]));
}

/** A digest as hexadecimal digits, which cannot be mistaken for a number or a boolean. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
