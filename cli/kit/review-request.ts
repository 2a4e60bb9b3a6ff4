import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from '../../lib/git/repository.ts';
import type { TreeEntry } from '../../lib/git/tree-entry.ts';
import { requireSetting } from '../../lib/config/require-setting.ts';
import { resolveSetting } from '../../lib/config/resolve-setting.ts';
import { reviewPolicy } from '../../flows/review/review-policy.ts';
import type { ReviewRequest } from '../../flows/review/review-request.ts';
import { Failure } from '../../lib/core/failure.ts';
import { chosenFiles } from './chosen-files.ts';
import type { CommonOptions, Session } from './session.ts';

export const scopes = ['changed', 'all'] as const;
export const levels = ['error', 'warning', 'notice', 'never'] as const;
export const formats = ['text', 'json', 'sarif', 'markdown'] as const;

export interface ReviewOptions extends CommonOptions {
  readonly format?: (typeof formats)[number];
  readonly local?: boolean;
  readonly staged?: boolean;
  readonly workingTree?: boolean;
  readonly commit: string;
  readonly branch?: string;
  readonly base?: string;
  readonly scope?: (typeof scopes)[number];
  readonly failOn?: (typeof levels)[number];
  readonly timeout?: number;
  readonly agentVersion?: string;
  readonly configDir?: string;
  readonly updateBaseline?: boolean;
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

/** The options settled against environment and `millrace.yaml`. Throws Failure 'usage', 'no-agent-version' and 'git-failed'. */
export async function reviewRequest(
  session: Session,
  options: ReviewOptions,
  files: readonly string[],
): Promise<ReviewRequest> {
  const config = await session.projectConfig();
  const opening = session.repository();
  // Each asks git, and none waits for another.
  const [{ repository, directory }, snapshot, branch] = await Promise.all([
    opening,
    workCopy(session, options),
    options.branch ?? opening.then(({ repository: opened }) => opened.headBranch()),
  ]);
  const configDir = options.configDir ?? config.configDir;
  const base = options.base === undefined ? undefined : await repository.resolveCommit(options.base);
  const policy = reviewPolicy({ ...config, configDir }, directory);
  return {
    repository,
    directory,
    branch: branch ?? 'HEAD',
    commit: options.commit,
    ...(snapshot === undefined ? {} : { snapshot }),
    // A work copy is compared with the commit that it stands on.
    base: base ?? (snapshot?.commit === '' ? undefined : snapshot?.commit),
    ...(options.base === undefined ? {} : { baseName: options.base }),
    scope: options.scope ?? (options.updateBaseline === true ? 'all' : config.review.scope),
    ...(files.length === 0
      ? {}
      : {
          files: await chosenFiles(files, {
            cwd: session.io.cwd,
            root: repository.root,
            directory,
            entries: await (snapshot?.list() ?? listCommit(repository, options.commit)),
            selection: config.files,
          }),
        }),
    ...config.files,
    configDir,
    agentVersion: agentVersion(session, options, config.review.agentVersion),
    timeoutMs: options.timeout,
    failOn: options.failOn ?? config.review.failOn,
    ...policy,
    ...(await oldFindings(options, repository, policy.baseline, base)),
  };
}

/** A new baseline starts from the file that it will take the place of, committed or not. */
async function oldFindings(
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
    // What cannot be read must not be replaced by less than it may hold.
    throw new Failure('config-invalid', {
      message: `The review baseline ${baseline} cannot be read (${code ?? message}).`,
      where: { file: baseline },
    });
  }
}

async function listCommit(repository: Repository, commit: string): Promise<readonly TreeEntry[]> {
  return repository.listTree(await repository.resolveCommit(commit));
}

async function workCopy(
  { directory, io }: Session,
  { staged, workingTree, local, fix, dryRun, updateBaseline }: ReviewOptions,
): Promise<ReviewRequest['snapshot']> {
  if (dryRun === true && fix !== true && updateBaseline !== true) {
    throw new Failure('usage', {
      message: '--dry-run shows what --fix or --update-baseline would write. A review alone writes nothing.',
      where: { input: '--dry-run' },
      hint: 'Leave --dry-run out, or add --fix or --update-baseline.',
    });
  }
  if (fix === true && workingTree !== true) {
    throw new Failure('usage', {
      message: '--fix changes the files on disk, so these must be what is reviewed.',
      where: { input: '--fix' },
      hint: 'Say --local --working-tree --fix.',
    });
  }
  if (staged !== true && workingTree !== true) return undefined;
  if (staged === workingTree || local !== true) {
    const input = staged === true ? '--staged' : '--working-tree';
    throw new Failure('usage', {
      message: local === true ? '--staged and --working-tree exclude each other.' : `${input} needs --local.`,
      where: { input },
      hint: 'The platform reviews commits only; add --local, and say one of the two.',
    });
  }
  const { openWorkCopy } = await import('../../lib/git/work-copy.ts');
  const { env: environment, signal } = io;
  return openWorkCopy(directory, staged === true ? 'staged' : 'working-tree', { environment, signal });
}

function agentVersion({ settings }: Session, options: ReviewOptions, inFile: string | undefined): string {
  const choices = { flag: options.agentVersion, environment: settings.agentVersion, file: inFile };
  if (options.local === true) return resolveSetting(choices)?.value ?? '';
  return requireSetting('no-agent-version', choices).value;
}
