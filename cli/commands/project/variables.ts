import { Argument } from 'commander';

import type { VariablesPlan } from '../../../flows/variables/plan-variables.ts';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly exitCode?: boolean;
}

/** `millrace variables diff | apply`: sets project variables and their values per environment from YAML files. */
export const addVariables: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'variables',
    'Set project variables and their values per environment from YAML files.',
  )
    .addArgument(
      new Argument('<action>', 'diff shows the changes, apply makes them').choices(['diff', 'apply']),
    )
    .argument('<files...>', 'YAML files with variables; - for standard input')
    .option('--prune', 'delete variables and values that the files do not contain')
    .option('--dry-run', 'with apply: only show the changes, as diff does')
    .option('--exit-code', 'with diff: exit with 1 if there are changes')
    .action(
      commandAction<Options>(
        shell,
        async (session, { json = false, prune = false, dryRun = false, exitCode = false }, ...words) => {
          const [action, ...names] = words;
          const { applyVariables, diffVariables } =
            await import('../../../flows/variables/apply-variables.ts');
          const { failedLines, variableLines } = await import('../../../flows/variables/variable-lines.ts');
          const { variablesHeadline } = await import('../../../flows/variables/headline.ts');
          const only = action === 'diff' || dryRun;
          const files = await readFiles(session, names);
          const { output } = session;
          // Show the plan before any change, so that it is visible even if the changes fail.
          const show = (plan: VariablesPlan) => {
            if (!json) output.result(plan, variableLines(plan));
          };
          const report = await session.withPlatform(async (context) => {
            if (!only) return applyVariables({ files, prune }, context, show);
            const plan = await diffVariables({ files, prune }, context);
            show(plan);
            return plan;
          });
          if (json || report.applied)
            output.result(report, [
              ...failedLines(report.failed),
              ...(report.applied && report.changes.length > 0 ? [variablesHeadline(report)] : []),
            ]);
          return only && exitCode && report.changes.length > 0 ? 'failed' : report.outcome;
        },
      ),
    );
};

async function readFiles(session: Session, names: readonly string[]) {
  const { readVariables } = await import('../../../lib/config/project/read-variables.ts');
  const texts = await Promise.all(names.map((name) => readInput(session, 'FILE', name)));
  return texts.map((text, i) => readVariables(text, names[i] ?? '-'));
}
