import { z } from 'zod';
import type { FileProblem } from '../../../engine/index.ts';
import { differenceKinds } from '../compare/test-result.ts';
import type { CoverageParts } from '../run/coverage.ts';
import type { EncodedResult, EncodedShown } from '../run/encode-result.ts';
import { callRootSchema } from '../../../lib/config/project/calls-schema.ts';
import type { TestReport } from '../run/test-report.ts';
import { maxShards } from './choose-shard.ts';

/** The version of the form of blobs. Raise it when the form changes without a new version of Millrace. */
export const blobForm = 1;

/** What one shard writes for `millrace test merge`. */
export interface Blob {
  readonly form: typeof blobForm;
  /** The version of Millrace. */
  readonly millrace: string;
  readonly shard: { readonly number: number; readonly count: number };
  /** SHA-256 of the file and the name of each test of all shards, in the order of the report. */
  readonly testsDigest: string;
  /** SHA-256 of the file of durations; null without one. */
  readonly durationsDigest: string | null;
  /** SHA-256 of the texts of the project that decide what tests compute: of two commits, they differ. */
  readonly projectDigest: string;
  /** What else decides about results, such as the filter. */
  readonly settings: Readonly<Record<string, string>>;
  /** The number of tests of all shards. */
  readonly tests: number;
  /** The tests of this shard: the number of each in the list, from 0, with its result or what is wrong in its files. */
  readonly ended: readonly BlobTest[];
  /** What is wrong in files whose tests could not be planned. */
  readonly problems: readonly FileProblem[];
  readonly coverage?: CoverageParts | undefined;
  /** The folder from which calls were resolved, if it is not the project's own. */
  readonly callRoot?: TestReport['callRoot'];
}

export interface BlobTest {
  readonly index: number;
  readonly result?: EncodedResult | undefined;
  readonly problems?: readonly FileProblem[] | undefined;
}

const position = z.int().min(1);
const place = { file: z.string(), line: position, column: position };
const problemSchema = z.looseObject({ ...place, message: z.string() });
const digestSchema = z.string().regex(/^[\da-f]{64}$/);

const shownSchema: z.ZodType<EncodedShown> = z.lazy(() =>
  z.union([
    z.null(),
    z.string(),
    z.number(),
    z.boolean(),
    z.strictObject({ special: z.enum(['null', '-0']) }),
    z.strictObject({ exact: z.string() }),
    z.strictObject({ list: z.array(shownSchema) }),
    z.strictObject({ object: z.array(z.tuple([z.string(), shownSchema])) }),
  ]),
);

const differenceSchema = z.looseObject({
  ...place,
  kind: z.enum(differenceKinds),
  table: z.string().exactOptional(),
  component: z.string().exactOptional(),
  at: z.looseObject(place).exactOptional(),
  expected: shownSchema.exactOptional(),
  actual: shownSchema.exactOptional(),
  columns: z.array(z.string()).exactOptional(),
  message: z.string(),
  sql: z
    .strictObject({ written: z.string().exactOptional(), ran: z.string().exactOptional() })
    .exactOptional(),
});

const testResultSchema = z.looseObject({
  file: z.string(),
  line: position,
  name: z.string(),
  pipeline: z.string(),
  status: z.enum(['passed', 'failed', 'refused']),
  durationMs: z.number().min(0),
  differences: z.array(differenceSchema),
});

const outlineSchema = z.strictObject({
  pipeline: z.string(),
  components: z.array(
    z.strictObject({
      name: z.string(),
      line: position,
      column: position,
      transitions: z.array(
        z.strictObject({
          on: z.enum(['success', 'failure', 'unconditional', 'true', 'false']),
          to: z.string(),
          line: position,
          column: position,
        }),
      ),
    }),
  ),
});

const texts = z.array(z.string());

export const blobSchema: z.ZodType<Blob> = z.strictObject({
  form: z.literal(blobForm),
  millrace: z.string(),
  shard: z.strictObject({ number: z.int().min(1).max(maxShards), count: z.int().min(1).max(maxShards) }),
  testsDigest: digestSchema,
  durationsDigest: digestSchema.nullable(),
  projectDigest: digestSchema,
  settings: z.record(z.string(), z.string()),
  tests: z.int().min(0),
  ended: z.array(
    z.strictObject({
      index: z.int().min(0),
      result: testResultSchema.optional(),
      problems: z.array(problemSchema).min(1).optional(),
    }),
  ),
  problems: z.array(problemSchema),
  callRoot: callRootSchema,
  coverage: z
    .strictObject({
      outlines: z.array(outlineSchema),
      reached: z.strictObject({ pipelines: texts, components: texts, transitions: texts }),
    })
    .optional(),
});
