import type { VerifyReport } from '../../../flows/evidence/report.ts';
import { releaseTag } from '../../../lib/config/project/release-version.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { printReport } from '../../publish/print-report.ts';
import { resolveTrust, type TrustOptions } from '../../publish/verify-trust.ts';

interface Options extends CommonOptions, TrustOptions {
  readonly commit?: string;
  readonly statements?: string;
}

/** `millrace verify`: verifies the evidence of a version, without a network. */
export const addVerify: AddCommand = (program, shell) => {
  defineCommand(program, 'verify', 'Verify the signed evidence of a version, without a network.')
    .argument('<version>', 'version name')
    .option('--worker-config <file>', 'worker.yaml, for the trusted keys and the rules')
    .option('--repository <name>', 'owner/name of the repository (default: the only one of worker.yaml)')
    .option('--environment <name>', 'with --worker-config: only the rules for this environment')
    .option('--public-key <key...>', 'a trusted public key, in place of --worker-config')
    .option('--commit <ref>', 'commit of the version (default: the commit of its release tag)')
    .option('--statements <ref>', 'ref with the statements (default: the branch millrace-evidence)')
    .action(
      commandAction<Options>(shell, async (session, options, version = '') => {
        const report = await verify(session, version, options);
        const { reportOfVerify } = await import('../../../flows/evidence/report.ts');
        await printReport(session, report, reportOfVerify(report), options);
        return report.outcome;
      }),
    );
};

async function verify(session: Session, version: string, options: Options): Promise<VerifyReport> {
  const { verifyVersion } = await import('../../../flows/evidence/verify-version.ts');
  const { cloneSource, findEvidenceCommit } = await import('../../../flows/evidence/clone-source.ts');
  const { verifyOutcome } = await import('../../../flows/evidence/report.ts');
  const { signal, clock } = session.flow;
  const { trust, repository: name, repositoryId, rules, isRefAllowed } = await resolveTrust(session, options);
  const { repository } = await session.repository();
  const tag = options.commit === undefined ? await tagOf(session, version) : undefined;
  const commit = await repository.resolveCommit(options.commit ?? `refs/tags/${tag ?? version}`, { signal });
  const tree = await repository.treeOf(commit, { signal });
  const statements = await findEvidenceCommit(repository, options.statements, signal);
  const isFromTag = (ref: string): boolean => tag === undefined || ref === `refs/tags/${tag}`;
  const result = await verifyVersion(
    {
      withSnapshots: true,
      repository: name,
      repositoryId,
      version,
      commit,
      tree,
      isRefAllowed: isRefAllowed ?? isFromTag,
      now: clock.now(),
      trust,
      rules,
    },
    cloneSource(repository, { commit: statements, of: commit }, signal),
  );
  return { outcome: verifyOutcome(result), version, repository: name, commit, tree, ...result };
}

/** The tag of a version. Throws Failure 'usage' if the version does not determine it. */
async function tagOf(session: Session, version: string): Promise<string> {
  const { release } = await session.projectConfig();
  const tag = releaseTag(release, version);
  if (tag !== undefined) return tag;
  throw new Failure('usage', {
    message: `The tag of the version ${version} cannot be derived from release.version in millrace.yaml.`,
    where: { input: '--commit' },
    hint: 'Give --commit with the commit that the version was published from.',
  });
}
