import { z } from 'zod';
import { canonicalJson, type JsonValue } from '../core/values/canonical-json.ts';
import { commitIdPattern } from '../core/values/commit-id.ts';
import { type EvidenceKind, evidenceKinds, predicateTypes } from './evidence-kinds.ts';

const statementType = 'https://in-toto.io/Statement/v1';

/** What a statement is about. A verifier compares all of this with the version that it verifies. */
export interface Binding {
  /** `owner/name` */
  readonly repository: string;
  /** GitHub’s id of the repository, which a rename does not change; undefined outside of GitHub. */
  readonly repositoryId?: number | undefined;
  readonly commit: string;
  /** The tree of the commit: the same files have the same tree. */
  readonly tree: string;
  /** The branch, tag or pull request on which the fact became known, such as `refs/tags/v1.4.0`. */
  readonly ref: string;
  /** The version that was published; undefined for facts about a commit. */
  readonly version?: string | undefined;
  /**
   * The pull request on whose merge commit the check ran. GitHub makes that commit for the check only: it is not the one that
   * is published, so the statement holds for every commit with the same tree.
   */
  readonly pullRequest?: number | undefined;
  /** When the fact became known, in whole seconds: `2026-11-30T20:15:00Z`. */
  readonly madeAt: string;
}

/** One fact about one commit, or about a version that was published from it. */
export interface Statement extends Binding {
  readonly predicateType: string;
  readonly predicate: JsonValue;
}

/** A moment in the form that statements use. Throws RangeError for an invalid date. */
export function momentOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

const digest = z.string().regex(commitIdPattern);
const name = z.string().min(1).max(300);

const statementSchema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([
    z.strictObject({
      name: z.string(),
      digest: z.strictObject({ gitCommit: digest, gitTree: digest }),
      annotations: z.strictObject({
        repository: name,
        repositoryId: z.int().positive().optional(),
        ref: name.startsWith('refs/'),
        version: name.optional(),
        pullRequest: z.int().positive().optional(),
        madeAt: z.iso.datetime({ precision: 0 }),
      }),
    }),
  ]),
  predicateType: name,
  predicate: z.json(),
});

/** The bytes of a statement that are signed. Throws TypeError if the predicate has a value that canonical JSON refuses. */
export function encodeStatement({
  predicateType,
  predicate,
  commit,
  tree,
  ...annotations
}: Statement): Buffer {
  const { repository, repositoryId, ref, version, pullRequest, madeAt } = annotations;
  return Buffer.from(
    canonicalJson({
      _type: statementType,
      subject: [
        {
          name: subjectName(annotations),
          digest: { gitCommit: commit, gitTree: tree },
          annotations: { repository, repositoryId, ref, version, pullRequest, madeAt },
        },
      ],
      predicateType,
      predicate,
    }),
  );
}

/** Parses the signed bytes of a statement. Returns a text if they are not valid. */
export function decodeStatement(bytes: Buffer): Statement | string {
  let value: JsonValue;
  try {
    value = JSON.parse(bytes.toString('utf8')) as JsonValue;
    // Other bytes could mean something else to another reader, such as a key that occurs twice.
    if (!Buffer.from(canonicalJson(value)).equals(bytes)) return 'it is not canonical JSON';
  } catch {
    return 'it is not canonical JSON';
  }
  const parsed = statementSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `it is not an in-toto statement of Millrace: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  }
  const { subject, predicateType, predicate } = parsed.data;
  const [{ name: subjectOf, digest: ids, annotations }] = subject;
  if (subjectOf !== subjectName(annotations)) return `its subject is named "${subjectOf}"`;
  return {
    ...annotations,
    commit: ids.gitCommit,
    tree: ids.gitTree,
    predicateType,
    predicate: predicate as JsonValue,
  };
}

/** The kind of a statement; undefined for a predicate type that Millrace does not know. */
export function kindOf({ predicateType }: Pick<Statement, 'predicateType'>): EvidenceKind | undefined {
  return evidenceKinds.find((kind) => predicateTypes[kind] === predicateType);
}

function subjectName({ repository, version }: Pick<Binding, 'repository' | 'version'>): string {
  return version === undefined ? repository : `${repository}@${version}`;
}
