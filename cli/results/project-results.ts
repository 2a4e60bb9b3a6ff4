import * as z from 'zod';
import type { DataDiff } from '../../flows/diff/data-diff.ts';
import { dataDiffSchema } from '../../flows/diff/report-schema.ts';
import { sampleDiffSchema } from '../../flows/samples/report-schema.ts';
import type { SampleDiff } from '../../flows/samples/sample-diff.ts';
import type { Check } from '../../flows/doctor/doctor.ts';
import type { AffectedReport } from '../../flows/data-graph/affected/affected.ts';
import { affectedReportSchema } from '../../flows/data-graph/affected/report-affected.ts';
import type { CompileReport } from '../../flows/data-graph/compile/compile-report.ts';
import { compileReportSchema } from '../../flows/data-graph/compile/report-schema.ts';
import type { LineageReport } from '../../flows/data-graph/lineage/lineage-report.ts';
import { lineageReportSchema } from '../../flows/data-graph/lineage/lineage-schema.ts';
import { addRowResult, type MutationResult } from './mutation-results.ts';
import { mutationReportSchema } from '../../flows/mutation/report/report-schema.ts';
import type { PipelineGraph } from '../../flows/graph/pipeline-graph.ts';
import type { TableGraph } from '../../flows/graph/table-graph.ts';
import type { Snapshot } from '../../flows/snapshot/snapshot.ts';
import { snapshotSchema } from '../../flows/snapshot/snapshot-schema.ts';
import type { ImportedFile, ImportedSchemas } from '../../flows/schemas/import-schemas.ts';
import type { LeftPart } from '../../flows/init/init-part.ts';
import { callRootSchema } from '../../lib/config/project/calls-schema.ts';
import { findingSchema, reportSchema } from '../../flows/review/formats/report-schema.ts';
import type { RuleCount } from '../../flows/review/conclude/statistics.ts';
import type { TestList } from '../../flows/pipeline-tests/run/list-tests.ts';
import { testListSchema, testReportSchema } from '../../flows/pipeline-tests/report/report-schema.ts';
import { severities } from '../../lib/core/outcomes/finding.ts';
import type { explainRule } from '../review/explain-rule.ts';
import type { summaryLines } from '../tests/init-summary.ts';
import { covers } from './covers.ts';

const texts = z.array(z.string());
const severity = z.enum(severities);
const dryRun = z.boolean().describe('Nothing was written.');

const initPart = z.enum([
  'settings',
  'rules',
  'ignore',
  'package',
  'baseline',
  'test',
  'hook',
  'review-workflow',
  'test-workflow',
  'release-workflow',
]);

const leftPart = covers(
  z.object({
    part: initPart,
    path: z.string().optional(),
    reason: z.string(),
    exists: z.boolean().describe('The repository has this part already.'),
    hint: texts.optional(),
  }),
)<LeftPart>();

/** What `millrace init --json` prints. The second form: nothing was written, because the user answered no. */
export const initResult = z.union([
  z.object({
    outcome: z.string(),
    dryRun,
    directory: z.string().describe('The project, relative to the repository.'),
    found: z.object({
      pipelines: texts,
      tests: texts,
      otherProjects: texts,
      branch: z.string(),
      findings: z.int(),
    }),
    files: z.array(
      z.object({
        part: initPart,
        path: z.string(),
        about: z.string(),
        executable: z.boolean(),
        written: z.boolean(),
        text: z.string().optional().describe('With `--diff`.'),
      }),
    ),
    left: z.array(leftPart),
  }),
  z.strictObject({}),
]);

const ruleCount = covers(
  z.object({
    rule: z.string(),
    severity,
    count: z.int().describe('New findings.'),
    files: z.int(),
    fixable: z.int(),
    known: z.int().describe('Findings that the baseline has.'),
  }),
)<RuleCount>();

const explanation = covers(
  z.object({
    rule: z.string(),
    summary: z.string(),
    reason: z.string(),
    fix: z.string(),
    page: z.string(),
    id: z.string().optional().describe('The id of the finding, if one is explained.'),
    finding: findingSchema
      .extend({ reason: z.string().optional(), suppressedBy: z.enum(['comment', 'settings']).optional() })
      .optional(),
  }),
)<ReturnType<typeof explainRule>['report']>();

export const reviewResults = {
  report: reportSchema,
  statistics: reportSchema
    .pick({ outcome: true, counts: true, fixes: true })
    .extend({ reviewed: z.int().describe('Number of files.'), statistics: z.array(ruleCount) }),
  baseline: z.object({
    outcome: z.enum(['passed', 'failed']),
    baseline: z.string().describe('The file.'),
    recorded: z.int(),
    dryRun,
    notRecorded: z.array(findingSchema).describe('Rules that could not be evaluated.'),
  }),
  explanation,
};

const written = covers(
  z.object({
    dryRun,
    tested: z.array(z.object({ pipeline: z.string(), file: z.string() })),
    hidden: texts.describe('Pipelines that are left out because a name in their path begins with a dot.'),
    pipelines: z.array(
      z.object({
        pipeline: z.string(),
        file: z.string().optional().describe('Absent: no test.'),
        outcome: z.enum(['success', 'success-with-replaced', 'end-failure', 'none']),
        mocked: texts,
        empty: texts,
        reasons: texts,
      }),
    ),
    counts: z.array(
      z.object({
        kind: z.enum(['transformation', 'orchestration']),
        pipelines: z.int(),
        succeed: z.int(),
        succeedWithReplaced: z.int(),
        endInFailure: z.int(),
      }),
    ),
  }),
)<ReturnType<typeof summaryLines>['report']>();

const failure = z.looseObject({ message: z.string() });

export const testResults = {
  report: testReportSchema,
  'with `--list`': covers(testListSchema)<TestList>(),
  'with `--mutate`': covers(mutationReportSchema)<MutationResult>(),
  'with `--add-row`': addRowResult,
  'first test of a pipeline': z.object({
    pipeline: z.string(),
    file: z.string(),
    dryRun,
    mocked: texts,
    replaced: z.array(failure).describe('What cannot run, and is mocked.'),
    empty: texts.describe('Tables that the test expects to be empty.'),
    text: z.string(),
  }),
  'no first test, because something is not supported': z.object({
    pipeline: z.string(),
    refused: z.array(failure),
  }),
  'no first test, because the pipeline fails': z.object({ pipeline: z.string(), failed: z.array(failure) }),
  'first tests of a folder': written,
};

/** What `millrace diff --json` prints. The second form: with `--given`. */
export const diffResult = z.union([
  covers(dataDiffSchema)<DataDiff>(),
  covers(sampleDiffSchema)<SampleDiff>(),
]);

export const compileResult = covers(compileReportSchema)<CompileReport>();

/** What `millrace compile --update-baseline` prints. */
export const compileBaselineResult = z.object({
  outcome: z.enum(['passed', 'failed']),
  baseline: z.string().describe('Relative to the project.'),
  recorded: z.int().describe('Number of findings in the baseline.'),
  unreadable: z.int().describe('Number of pipelines that could not be read: no baseline can have them.'),
});

export const affectedResult = covers(affectedReportSchema)<AffectedReport>();

const importedFile = covers(
  z.object({
    path: z.string().describe('Relative to the project.'),
    tables: z.int(),
    columns: z.int(),
    change: z.enum(['created', 'replaced', 'unchanged']),
  }),
)<Omit<ImportedFile, 'text'>>();

export const schemasImportResult = covers(
  z.object({
    files: z.array(importedFile),
    exported: z.int().describe('Tables of the export, without those that describe the warehouse itself.'),
    imported: z.int(),
    unknownTypes: z
      .array(z.object({ type: z.string(), columns: z.int() }))
      .describe('Types that Millrace does not know; their columns have the type `unknown`.'),
    leftOut: texts.describe('Tables whose names have a point.'),
    settings: texts.describe('Patterns to add to `schemas` in millrace.yaml; empty if the file has them.'),
    reads: z
      .object({
        bound: z.int(),
        total: z.int(),
        lacking: z.array(z.object({ table: z.string(), reads: z.int() })),
      })
      .optional()
      .describe(
        'How many reads of tables have known columns with these files, and the tables that are still not known; left out without the engine.',
      ),
    dryRun,
  }),
)<Omit<ImportedSchemas, 'files'> & { files: readonly Omit<ImportedFile, 'text'>[]; dryRun: boolean }>();
export const lineageResult = covers(lineageReportSchema)<LineageReport>();

export const snapshotResult = covers(snapshotSchema)<Snapshot>();

const graphCalls = z.object({
  nodes: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['orchestration', 'transformation', 'streaming', 'foreign', 'missing']),
      entry: z.boolean().describe('No pipeline of the project calls it.'),
      sharedId: z.string().optional(),
      worst: severity.optional().describe('The worst of its findings.'),
    }),
  ),
  calls: z.array(z.object({ from: z.string(), to: z.string() })),
  callRoot: callRootSchema,
});

const usePlace = {
  pipeline: z.string(),
  file: z.string().describe('The pipeline, or its script.'),
  line: z.int(),
};

export const graphResults = {
  graph: covers(
    graphCalls.extend({
      tables: z.array(
        z.object({
          name: z.string().describe('`DATABASE.SCHEMA.TABLE`.'),
          database: z.string(),
          schema: z.string(),
          table: z.string(),
          label: z.string().describe('Without the default database and schema.'),
          created: z.boolean().describe('A component of the project creates it.'),
        }),
      ),
      uses: z.array(
        z.object({
          ...usePlace,
          component: z.string(),
          table: z.string().describe('The name of the table.'),
          effect: z
            .enum(['reads', 'creates', 'writes', 'changes', 'alters', 'drops'])
            .describe('`writes` adds rows, `changes` updates or removes rows.'),
        }),
      ),
      unknown: z
        .array(z.object({ ...usePlace, component: z.string().optional(), reason: z.string() }))
        .describe('Components that may use tables which are known only at run time.'),
    }),
  )<TableGraph>(),
  'with `--calls-only`': covers(graphCalls)<PipelineGraph>(),
};

const check = covers(
  z.object({
    what: z.string(),
    ok: z.boolean(),
    message: z.string(),
    hint: z.string().optional(),
    exitCode: z.int(),
  }),
)<Check>();

export const doctorResult = z.object({ outcome: z.enum(['passed', 'failed']), checks: z.array(check) });

export const completionResult = z.object({ shell: z.string(), script: z.string() });
