import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Plan, PlanRequest } from '../../../flows/plan/plan.ts';
import { type AddCommand, commandAction, definePlatformCommand, oneOf } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import { jsonLines } from '../../terminal/json-lines.ts';

const formats = ['text', 'json', 'markdown'] as const;

interface Options extends CommonOptions {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly showValues?: boolean;
  readonly format?: (typeof formats)[number];
}

/** `millrace plan`: shows what a promotion will change, and changes nothing. */
export const addPlan: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'plan', 'Show what a promotion will change, without changing anything.')
    .requiredOption('--version <name>', 'version name')
    .requiredOption('--from <environment>', 'source environment')
    .requiredOption('--to <environment>', 'target environment')
    .option('--show-values', 'show the values of variables, except secret ones')
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .action(commandAction<Options>(shell, showPlan));
};

async function showPlan(session: Session, options: Options): Promise<Outcome> {
  const { version, from, to, showValues = false, json = false, format = 'text' } = options;
  refuseFormat(options);
  const { makePlan, planOutcome } = await import('../../../flows/plan/plan.ts');
  const { planGates } = await import('../../operate/plan-gates.ts');
  const source = await openSource(session);
  const remote = 'reason' in source ? undefined : await remoteOf(session);
  const plan = await session.withPlatform((context) =>
    makePlan(
      {
        version,
        from,
        to,
        source,
        remote,
        settings: () => session.projectConfig(),
        showValues,
        gates: () => planGates(session, { version, from, to }, context.projectId),
      },
      context,
    ),
  );
  session.output.result(plan, json ? [] : await linesOf(plan, format));
  return planOutcome(plan);
}

async function remoteOf({ directory, io }: Session): Promise<PlanRequest['remote']> {
  const { readRepositorySetup } = await import('../../../lib/git/repository-setup.ts');
  const setup = await readRepositorySetup(directory, { environment: io.env, signal: io.signal });
  return setup.remote;
}

/** The repository, or why there is none. */
async function openSource(session: Session): Promise<PlanRequest['source']> {
  try {
    return await session.repository();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'git-failed') throw error;
    return { reason: error.message.replace(/\.$/u, '') };
  }
}

async function linesOf(plan: Plan, format: (typeof formats)[number]): Promise<readonly string[]> {
  if (format === 'json') return jsonLines(plan);
  const { reportOfPlan } = await import('../../../flows/plan/report/report-plan.ts');
  const report = reportOfPlan(plan);
  if (format === 'markdown') {
    const { fileLimit, reportMarkdown } = await import('../../../lib/report/markdown.ts');
    return reportMarkdown(report, { limit: fileLimit }).split('\n');
  }
  const { terminalLines } = await import('../../../lib/report/terminal.ts');
  return terminalLines(report);
}
