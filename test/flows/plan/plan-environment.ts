import path from 'node:path';
import { makePlan, type Plan, type PlanRequest } from '../../../flows/plan/plan.ts';
import { projectSchema } from '../../../lib/config/project/project-schema.ts';
import { copy, script, steps } from '../data-graph/small-projects.ts';
import type { FlowEnvironment } from '../flow-environment.ts';

/** A version as the platform lists it in an environment. */
export interface Listed {
  readonly in: string;
  readonly version: string;
  /** `null`: the platform does not say it. */
  readonly commit: string | null;
  readonly enabled?: boolean;
  /** Hours of 2026-01-01; the last one is the newest. */
  readonly hour?: number;
}

/** Has the platform list these versions, in this order, and nothing else. */
export function listArtifacts(
  { platform }: Pick<FlowEnvironment, 'platform'>,
  listed: readonly Listed[],
): void {
  platform.faults.set([artifactList(listed)]);
}

/** The answer of the platform that lists these versions. */
export function artifactList(listed: readonly Listed[]) {
  const results = listed.map(({ in: environmentName, version, commit, enabled = true, hour = 1 }) => {
    const at = `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
    return {
      versionName: version,
      environmentName,
      commitHash: commit,
      branch: null,
      enabled,
      createdAt: at,
      deployedAt: at,
    };
  });
  const body = { page: 0, size: 100, total: results.length, results };
  return { operation: 'artifacts.list' as const, status: 200, body };
}

/** A request that finds no DuckDB, which takes less time. */
export const withoutDuckdb: Pick<PlanRequest, 'packages'> = {
  packages: path.resolve(import.meta.dirname, 'no-packages'),
};

/** The plan of a promotion from test to prod. */
export async function planOf(
  env: FlowEnvironment,
  version: string,
  more: Partial<PlanRequest> = {},
): Promise<Plan> {
  return makePlan(
    {
      version,
      from: 'test',
      to: 'prod',
      source: { repository: env.repository, directory: '' },
      settings: async () => projectSchema.parse({ version: 1 }),
      showValues: false,
      ...more,
    },
    env.context,
  );
}

const load = (...pipelines: readonly string[]) =>
  steps(
    pipelines.map((pipeline) => [
      `Run ${pipeline}`,
      'run-transformation',
      { transformationJob: pipeline, setScalarVariables: [] },
    ]),
  );

/** Sales from orders, a report from sales, and an orchestration that runs both. */
export const firstFiles: Readonly<Record<string, string>> = {
  'millrace.yaml': 'version: 1\n',
  'tables.orch.yaml': script('create or replace table ORDERS (ID number, PRICE number);'),
  'sales.tran.yaml': copy('ORDERS', ['ID', 'PRICE'], 'SALES'),
  'report.tran.yaml': copy('SALES', ['ID', 'PRICE'], 'REPORT_${region}'),
  'load.orch.yaml': load('sales', 'report'),
};

/** The column PRICE of SALES is now COST, and there is one more table. */
export const secondFiles: Readonly<Record<string, string>> = {
  ...firstFiles,
  'sales.tran.yaml': copy('ORDERS', ['ID', 'PRICE'], 'SALES', ['ID', 'COST']),
  'stock.tran.yaml': copy('ORDERS', ['ID'], 'STOCK'),
};

/** Commits files, and nothing else that was there before; answers the commit's id. */
export function commitFiles(
  { work }: Pick<FlowEnvironment, 'work'>,
  files: Readonly<Record<string, string>>,
  message: string,
): string {
  work.git('rm', '-rfq', '--ignore-unmatch', '.');
  for (const [file, text] of Object.entries(files)) work.write(file, text);
  return work.commit(message);
}
