import { requireSetting } from '../../config/require-setting.ts';
import { settle } from '../../config/settle.ts';
import type { ReviewReport } from '../../flows/review/review-request.ts';
import { act, type AddCommand, definePlatformCommand, oneOf } from '../command.ts';
import { findingLines } from '../finding-lines.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly local?: boolean;
  readonly commit: string;
  readonly branch?: string;
  readonly base?: string;
  readonly scope?: ReviewScope;
  readonly failOn?: FailOn;
  readonly agentVersion?: string;
  readonly configDir?: string;
}

const scopes = ['changed', 'all'] as const;
type ReviewScope = (typeof scopes)[number];
const levels = ['error', 'warning', 'notice', 'never'] as const;
type FailOn = (typeof levels)[number];

/** `millrace review`: the quality rules on the pipelines of a commit. */
export const addReview: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'review', 'Review pipeline files against the quality rules.')
    .argument('[files...]', 'these files only, relative to the repository')
    .option('--local', 'evaluate the rules here: no platform and no token')
    .option('--commit <ref>', 'the commit to review', 'HEAD')
    .option('--branch <name>', 'its branch (default: the one that is checked out)')
    .option('--base <ref>', 'what `--scope changed` is measured against')
    .option('--scope <scope>', scopes.join(' or '), oneOf(scopes))
    .option('--fail-on <severity>', levels.join(', '), oneOf(levels))
    .option('--agent-version <version>', 'runner version for the header Agent-Version')
    .option('--config-dir <folder>', 'folder of the rules file')
    .action(
      act<Options>(shell, async (session, options, ...rest) => {
        const { output, flow, settings } = session;
        const config = await session.projectConfig();
        const { repository, directory } = await session.repository();
        const agentVersion = (needed: boolean) => {
          const choices = {
            flag: options.agentVersion,
            environment: settings.agentVersion,
            file: config.review.agentVersion,
          };
          return needed ? requireSetting('no-agent-version', choices).value : (settle(choices)?.value ?? '');
        };
        const files = rest.length === 0 ? undefined : rest;
        const request = {
          repository,
          directory,
          branch: options.branch ?? (await repository.headBranch()) ?? 'HEAD',
          commit: options.commit,
          ...(options.base === undefined ? {} : { base: await repository.resolveCommit(options.base) }),
          scope: options.scope ?? config.review.scope,
          ...(files === undefined ? {} : { files }),
          ...config.files,
          configDir: options.configDir ?? config.configDir,
          agentVersion: agentVersion(options.local !== true),
          failOn: options.failOn ?? config.review.failOn,
        };
        const { reviewLocally } = await import('../../flows/review/review-locally.ts');
        const { reviewOnPlatform } = await import('../../flows/review/review-on-platform.ts');
        const report =
          options.local === true
            ? await reviewLocally(request, flow)
            : await session.withPlatform((context) => reviewOnPlatform(request, context));
        output.result(report, linesOf(report));
        return report.outcome;
      }),
    );
};

function linesOf(report: ReviewReport): string[] {
  const { outcome, findings, reviewed, excluded, counts, scopeReason } = report;
  if (outcome === 'nothing-to-do') return [`Nothing to review: ${scopeReason}.`];
  return [
    ...findingLines(findings),
    ...excluded.map((file) => `not evaluated, unsupported file type: ${file}`),
    `${reviewed.length} files reviewed (${scopeReason}): ${counts.error} errors, ${counts.warning} warnings, ${counts.notice} notices: ${outcome}.`,
  ];
}
