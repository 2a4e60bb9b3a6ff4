import * as z from 'zod';
import { operations } from '../../lib/contract/operations.ts';
import { auditEntry } from '../../lib/contract/resources/audit-entry.ts';
import { outcomes } from '../../lib/core/outcomes/outcome.ts';
import * as delivery from './delivery-results.ts';
import * as evidence from './evidence-results.ts';
import * as project from './project-results.ts';
import * as server from './server-results.ts';
import * as worker from './worker-results.ts';

/** The schemas of a command's results. The key says in which case the command prints this form. */
export type ResultForms = Readonly<Record<string, z.ZodType>>;

const listedOperation = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
});

/** What each command prints with `--json`. The keys are the words of the command. */
export const commandResults: Readonly<Record<string, ResultForms>> = {
  init: { result: project.initResult },
  review: project.reviewResults,
  test: project.testResults,
  'test merge': { report: project.testResults.report },
  diff: { diff: project.diffResult },
  compile: { compilation: project.compileResult, 'with --update-baseline': project.compileBaselineResult },
  affected: { affected: project.affectedResult },
  schemas: { import: project.schemasImportResult },
  lineage: { lineage: project.lineageResult },
  graph: project.graphResults,
  snapshot: { snapshot: project.snapshotResult },
  publish: { publication: delivery.publishResult },
  'publish-shared': { publication: delivery.publishSharedResult },
  verify: { verification: evidence.verifyResult },
  evidence: { key: evidence.keygenResult },
  plan: { plan: delivery.planResult },
  promote: {
    promotion: delivery.promoteResult,
    'dry run of --lane': worker.laneDryRun,
    'with --lane': worker.lanePromotionResult,
  },
  run: { execution: delivery.runResult },
  rollback: {
    'of an environment': delivery.rollbackResult,
    'with --shared': delivery.sharedRollbackResult,
    'dry run of --lane': worker.laneDryRun,
    'with --lane': worker.laneRollbackResult,
  },
  drift: { drift: delivery.driftResult },
  provision: { provision: delivery.provisionResult },
  variables: { variables: delivery.variablesResult },
  streaming: {
    apply: delivery.streamingApplyResult,
    'start or stop': delivery.streamingCommandResult,
    status: delivery.streamingStatusResult,
  },
  audit: { 'one line for each entry': auditEntry, 'with --worker': worker.workerAuditResult },
  api: {
    'the answer of the operation': z
      .json()
      .describe(
        `docs/openapi.json has the answer of each of the ${operations.length} operations; null: no body.`,
      ),
    'with --list': z.array(listedOperation),
    'dry run': z.object({ operation: z.string(), input: z.looseObject({}) }),
  },
  doctor: { checks: project.doctorResult },
  platform: { 'when it listens': server.platformResult },
  worker: { 'with --demo, when it listens': server.demoStarted, 'when it listens': server.workerStarted },
  'worker token': { token: server.workerToken },
  'worker backup': { backup: server.recordsBackup },
  'worker restore': { 'dry run': server.plannedRestore, restore: server.recordsRestore },
  'worker hold-all': { holds: server.heldLanes },
  webhook: { 'dry run': server.webhookRequest, delivery: server.webhookSent },
  ...worker.workerResults,
  completion: { script: project.completionResult },
};

/** What every command prints with `--json` if it fails. */
export const failureResult = z.object({
  outcome: z.enum(outcomes),
  error: z.object({
    code: z.string().describe('A code of docs/errors.md.'),
    message: z.string(),
    where: z
      .object({
        file: z.string().optional(),
        line: z.int().optional(),
        column: z.int().optional(),
        input: z.string().optional(),
      })
      .optional(),
    hint: z.string().optional(),
    details: z.looseObject({}).optional(),
  }),
});

/** The JSON Schema of a command's output: one of its forms. */
export function resultSchema(words: string, forms: ResultForms): Record<string, unknown> {
  const definitions: Record<string, unknown> = {};
  const list = Object.entries(forms).map(([title, form]) => {
    const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(form, { unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs)) {
      if (name in definitions) throw new Error(`two forms of ${words} define ${name}`);
      definitions[name] = definition;
    }
    return { title, ...schema };
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(list.length === 1 ? list[0] : { anyOf: list }),
    title: words === 'error' ? 'millrace … --json, after an error' : `millrace ${words} --json`,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}
