import { z } from 'zod';
import type { JsonValue } from '../core/values/canonical-json.ts';
import { commitIdPattern } from '../core/values/commit-id.ts';
import { type Manifest, manifestDigest, manifestSchema } from './manifest.ts';

/** How a version was published. */
export interface Publication {
  /** Address of the repository, such as `https://github.com/example/warehouse`. */
  readonly source: string;
  readonly ref: string;
  readonly commit: string;
  readonly version: string;
  readonly environment: string;
  /** Id of the project on the platform. */
  readonly project: string;
  /** The workflow file with its ref, as GitHub names it (`GITHUB_WORKFLOW_REF`). */
  readonly workflow: string;
  /** Address of the workflow run. */
  readonly run: string;
  /** When the platform had answered; in whole seconds, with `Z`. */
  readonly finishedAt: string;
  /** The version of Millrace. */
  readonly millrace: string;
  readonly manifest: Manifest;
}

/** The predicate of SLSA’s provenance, version 1. The manifest is a by-product with its digest. */
export function provenancePredicate(publication: Publication): JsonValue {
  const { source, ref, commit, version, environment, project, workflow, run, finishedAt, millrace } =
    publication;
  const { directory, files } = publication.manifest;
  return {
    buildDefinition: {
      buildType: 'urn:millrace:publication:v1',
      externalParameters: { source, ref, version, environment, project, directory, workflow },
      resolvedDependencies: [{ uri: `git+${source}@${ref}`, digest: { gitCommit: commit } }],
    },
    runDetails: {
      builder: { id: workflow, version: { millrace } },
      metadata: { invocationId: run, finishedOn: finishedAt },
      byproducts: [
        {
          name: 'manifest',
          digest: { sha256: manifestDigest(publication.manifest) },
          annotations: { directory, files: files.map((file) => ({ ...file })) },
        },
      ],
    },
  };
}

const commit = z.string().regex(commitIdPattern);

const provenanceSchema = z.object({
  buildDefinition: z.object({
    buildType: z.literal('urn:millrace:publication:v1'),
    externalParameters: z.object({ ref: z.string(), version: z.string(), environment: z.string() }),
    resolvedDependencies: z.tuple([z.object({ digest: z.object({ gitCommit: commit }) })]),
  }),
  runDetails: z.object({
    byproducts: z.tuple([
      z.object({
        name: z.literal('manifest'),
        digest: z.object({ sha256: z.string() }),
        annotations: manifestSchema,
      }),
    ]),
  }),
});

/**
 * Reads what was sent according to the provenance. Returns a text if the predicate cannot be read, or contradicts
 * itself.
 */
export function readProvenance(
  predicate: JsonValue,
  {
    commit: bound,
    version,
    ref,
  }: { readonly commit: string; readonly version?: string | undefined; readonly ref: string },
): { readonly environment: string; readonly manifest: Manifest; readonly digest: string } | string {
  const parsed = provenanceSchema.safeParse(predicate);
  if (!parsed.success) return 'its predicate is not the provenance of a publication';
  const { buildDefinition, runDetails } = parsed.data;
  const { externalParameters, resolvedDependencies } = buildDefinition;
  const [{ digest, annotations: manifest }] = runDetails.byproducts;
  const isConsistent =
    externalParameters.version === version &&
    externalParameters.ref === ref &&
    resolvedDependencies[0].digest.gitCommit === bound;
  if (!isConsistent) return 'its predicate is about another publication than its subject';
  if (manifestDigest(manifest) !== digest.sha256)
    return 'its manifest does not have the digest that it names';
  return { environment: externalParameters.environment, manifest, digest: digest.sha256 };
}

const count = z.int().nonnegative();
const outcome = z.enum(['passed', 'failed']);

/** The result of a review: how many findings of each severity are new. */
const reviewSchema = z.object({
  outcome,
  /** The reviewer: the platform, or Millrace’s own rules on the runner. */
  by: z.enum(['platform', 'local']),
  pipelines: count,
  findings: z.object({ error: count, warning: count, notice: count }),
});
/** The result of the tests, with what they cover and which planted changes they noticed, as two integers each. */
const testsSchema = z.object({
  outcome,
  tests: z.object({ passed: count, failed: count, refused: count }),
  coverage: z.object({ covered: count, total: count }).optional(),
  mutation: z.object({ noticed: count, total: count }).optional(),
});
/** What a change of pipelines changes in the data: numbers, never rows or values. */
const diffSchema = z.object({
  outcome,
  /** The commit that was compared with. */
  base: commit,
  /** How many tests ran, and how many of them could not be compared. */
  tests: count,
  notCompared: count,
  /** How many tables change. */
  tables: count,
  rows: z.object({ added: count, removed: count, changed: count }),
});
/** Who approved the pull request whose merge is the commit. */
const approvalsSchema = z.object({
  pullRequest: z.int().positive(),
  /** The newest commit of the pull request; only approvals of it are listed. */
  head: commit,
  author: z.string(),
  approvals: z.array(z.object({ login: z.string(), id: z.int(), at: z.string() })),
});

export type ReviewFacts = z.output<typeof reviewSchema>;
export type TestsFacts = z.output<typeof testsSchema>;
export type DiffFacts = z.output<typeof diffSchema>;
export type ApprovalFacts = z.output<typeof approvalsSchema>;

/** Parses a predicate in the form that rules need; undefined if it does not have this form. */
export const readFacts = {
  review: (predicate: JsonValue): ReviewFacts | undefined => reviewSchema.safeParse(predicate).data,
  tests: (predicate: JsonValue): TestsFacts | undefined => testsSchema.safeParse(predicate).data,
  diff: (predicate: JsonValue): DiffFacts | undefined => diffSchema.safeParse(predicate).data,
  approvals: (predicate: JsonValue): ApprovalFacts | undefined => approvalsSchema.safeParse(predicate).data,
};
