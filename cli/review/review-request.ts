import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from '../../lib/git/repository.ts';
import { requireSetting } from '../../lib/config/environment/require-setting.ts';
import { resolveSetting } from '../../lib/config/environment/resolve-setting.ts';
import { reviewPolicy } from '../../flows/review/scope/review-policy.ts';
import type { ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { preCommitOptions } from './pre-commit-options.ts';
import { resolveFileArguments } from './resolve-file-arguments.ts';
import type { ReviewOptions } from './review-options.ts';
import { reviewSettings } from './review-settings.ts';
import { resolveNamedCommit } from '../kit/git/resolve-named-commit.ts';
import type { Session } from '../kit/session.ts';

/** Resolves options, environment and `millrace.yaml` to a request. Throws Failure 'usage', 'no-agent-version', 'git-failed'. */
export async function reviewRequest(
  session: Session,
  rawOptions: ReviewOptions,
  files: readonly string[],
): Promise<ReviewRequest> {
  const options = preCommitOptions(rawOptions, session.io.env);
  refuseNewOnly(options);
  refuseCommit(rawOptions);
  const opening = session.repository();
  // Independent git calls.
  const reading = Promise.all([
    opening,
    workCopy(session, options),
    options.branch ?? opening.then(({ repository: opened }) => opened.headBranch()),
  ]);
  const [{ repository, directory }, snapshot, branch] = await reading;
  const base =
    options.base === undefined ? undefined : await resolveNamedCommit(repository, options.base, session);
  const commit =
    snapshot === undefined ? await resolveNamedCommit(repository, options.commit, session) : options.commit;
  const {
    config,
    commit: settingsCommit,
    notes,
  } = await reviewSettings(
    session,
    { ...options, commit },
    { repository, directory, snapshot, base, isCurrent: snapshot !== undefined || options.commit === 'HEAD' },
  );
  for (const note of notes) session.output.logger.warn(note);
  const configDir = options.configDir ?? config.configDir;
  const policy = reviewPolicy({ ...config, configDir }, directory);
  const request: ReviewRequest = {
    repository,
    directory,
    branch: branch ?? 'HEAD',
    commit,
    ...(snapshot === undefined ? {} : { snapshot }),
    // A working tree is compared with the commit that it is based on.
    base: base ?? (snapshot?.commit === '' ? undefined : snapshot?.commit),
    // A full id is too long for a message.
    ...(options.base === undefined || options.base === base ? {} : { baseName: options.base }),
    ...(options.wholeIfUnchanged === true ? { wholeIfUnchanged: true } : {}),
    ...(options.range === undefined ? {} : { range: options.range }),
    scope: options.scope ?? (options.updateBaseline === true ? 'all' : config.review.scope),
    ...(files.length === 0
      ? {}
      : {
          files: await resolveFileArguments(files, {
            cwd: session.io.cwd,
            root: repository.root,
            directory,
            entries: await (snapshot?.list() ?? repository.listTree(commit)),
            selection: config.files,
          }),
        }),
    ...config.files,
    configDir,
    agentVersion: await agentVersion(session, options, config.review.agentVersion),
    timeoutMs: options.timeout,
    failOn: options.failOn ?? config.review.failOn,
    ...policy,
    ...(options.config === undefined ? {} : await namedSettings(session, repository)),
    settingsCommit,
    ...(await baselineToCompare(options, repository, policy.baseline, base)),
  };
  if (options.newOnly !== true || base === undefined) return request;
  const { problemsOfBase } = await import('../../flows/review/problems-of-base.ts');
  const { baseProblems, notes: ofBase } = await problemsOfBase(
    // The settings of --config are in no commit.
    options.config === undefined ? request : { ...request, configFile: undefined },
    { base, configDir: options.configDir },
    session.flow,
  );
  for (const note of ofBase) session.output.logger.warn(note);
  return { ...request, baseProblems };
}

/** The file of `--config`, if it is in the repository: then a change of this file is a change of the settings. */
async function namedSettings(
  { configFile }: Session,
  { root }: Repository,
): Promise<Pick<ReviewRequest, 'configFile'>> {
  const [top, file] = await Promise.all([realpath(root), realpath(configFile).catch(() => configFile)]);
  const name = path.relative(top, file).split(path.sep).join('/');
  return name.startsWith('../') || path.isAbsolute(name) ? {} : { configFile: name };
}

function refuseCommit({ commit, staged, workingTree }: ReviewOptions): void {
  if (commit === 'HEAD' || (staged !== true && workingTree !== true)) return;
  const input = staged === true ? '--staged' : '--working-tree';
  throw new Failure('usage', {
    message: `${input} cannot be combined with --commit: the review would not look at that commit.`,
    where: { input: '--commit' },
    hint: `Remove ${input} to review the commit. To compare with a commit, give it to --base.`,
  });
}

function refuseNewOnly({ newOnly, base, updateBaseline }: ReviewOptions): void {
  if (newOnly !== true) return;
  if (base === undefined) {
    throw new Failure('usage', {
      message: '--new-only needs --base: the commit whose problems do not count.',
      where: { input: '--new-only' },
      hint: 'Add --base with the branch that the change goes to, such as --base origin/main.',
    });
  }
  if (updateBaseline === true) {
    throw new Failure('usage', {
      message:
        '--new-only cannot be combined with --update-baseline: --new-only uses no baseline, and --update-baseline records one.',
      where: { input: '--new-only' },
      hint: 'Remove --new-only or --update-baseline.',
    });
  }
}

/** A new baseline starts from the file that it will replace, committed or not. */
async function baselineToCompare(
  { updateBaseline }: ReviewOptions,
  { root }: Repository,
  baseline: string | undefined,
  base: string | undefined,
): Promise<Pick<ReviewRequest, 'replacedBaseline' | 'policyCommit'>> {
  if (updateBaseline !== true) return base === undefined ? {} : { policyCommit: base };
  if (baseline === undefined) return {};
  try {
    return { replacedBaseline: await readFile(path.join(root, baseline)) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    // An unreadable baseline must not be overwritten: entries of it could be lost.
    throw new Failure('config-invalid', {
      message: `The review baseline ${baseline} cannot be read (${code ?? message}), so it was not replaced.`,
      hint: 'Make the file readable. If you do not need its entries, delete it and run the command again.',
      where: { file: baseline },
    });
  }
}

async function workCopy(
  { directory, io }: Session,
  { staged, workingTree, local, fix, unsafeFixes, dryRun, updateBaseline }: ReviewOptions,
): Promise<ReviewRequest['snapshot']> {
  if (unsafeFixes === true && fix !== true) {
    throw new Failure('usage', {
      message: '--unsafe-fixes needs --fix.',
      where: { input: '--unsafe-fixes' },
      hint: 'Use --local --working-tree --fix --unsafe-fixes. To see the changes first, add --dry-run.',
    });
  }
  if (dryRun === true && fix !== true && updateBaseline !== true) {
    throw new Failure('usage', {
      message: '--dry-run needs --fix or --update-baseline: a plain review writes nothing.',
      where: { input: '--dry-run' },
      hint: 'Remove --dry-run, or add --fix or --update-baseline.',
    });
  }
  if (fix === true && workingTree !== true) {
    throw new Failure('usage', {
      message: '--fix changes the files on disk, so it must review the files on disk.',
      where: { input: '--fix' },
      hint: 'Use --local --working-tree --fix.',
    });
  }
  if (staged !== true && workingTree !== true) return undefined;
  if (staged === workingTree || local !== true) {
    const input = staged === true ? '--staged' : '--working-tree';
    throw new Failure('usage', {
      message:
        local === true ? 'Use either --staged or --working-tree, not both.' : `${input} needs --local.`,
      where: { input },
      hint:
        local === true
          ? 'Remove --staged or --working-tree.'
          : `Add --local, to review without the platform. The platform reviews only commits, so it cannot see what ${input} reviews.`,
    });
  }
  const { openWorkCopy } = await import('../../lib/git/work-tree/work-copy.ts');
  const { env: environment, signal } = io;
  return openWorkCopy(directory, staged === true ? 'staged' : 'working-tree', { environment, signal });
}

async function agentVersion(
  session: Session,
  options: ReviewOptions,
  inFile: string | undefined,
): Promise<string> {
  const choices = { flag: options.agentVersion, environment: session.settings.agentVersion, file: inFile };
  if (options.local === true) return resolveSetting(choices)?.value ?? '';
  await requireLink(session, resolveSetting(choices) === undefined);
  return requireSetting('no-agent-version', choices).value;
}

/**
 * In a project that was never linked to a platform, a user needs the command that works without one: throws a Failure that
 * names it. If only one setting is missing, the error about that setting is more helpful.
 */
async function requireLink(session: Session, lacksAgentVersion: boolean): Promise<void> {
  const missing = await session.missingSettings();
  if (missing.length < 2) return;
  const all = [...missing, ...(lacksAgentVersion ? ['review.agent-version in millrace.yaml'] : [])];
  const list = `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
  const lacksProject = missing.some((name) => name.startsWith('project'));
  throw new Failure(lacksProject ? 'no-project' : 'no-base-url', {
    message: `This project is not linked to a platform, which a review without --local needs: ${list} are not set.`,
    hint: 'Add --local: `millrace review --local` reviews on this machine, without a platform. To let the platform review, set what is missing; the administrators of your platform know the values.',
  });
}
