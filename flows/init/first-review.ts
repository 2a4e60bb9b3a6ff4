import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { overlaySnapshot } from '../../lib/git/overlay-snapshot.ts';
import { inFolder, type Snapshot } from '../../lib/git/snapshot.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { FlowContext } from '../context/context.ts';
import { writeBaseline } from '../findings/baseline.ts';
import { reviewLocally } from '../review/review-locally.ts';
import { extendFromSnapshot, reviewPolicy } from '../review/scope/review-policy.ts';
import type { NewFile } from './init-part.ts';
import type { Survey } from './survey.ts';

/** The result of a review once the planned files exist. */
export interface FirstReview {
  readonly findings: readonly Finding[];
  /** Findings that a baseline cannot have, because a file or rule could not be evaluated. */
  readonly broken: readonly Finding[];
  /** Path of the baseline, relative to the repository. */
  readonly baseline: string;
  readonly baselineText: string;
  /** Number of findings that the baseline records. */
  readonly recorded: number;
}

/** Reviews the files on disk together with those that will be written. Throws Failure 'git-failed' and 'config-invalid'. */
export async function firstReview(
  survey: Survey,
  files: readonly NewFile[],
  context: FlowContext,
): Promise<FirstReview> {
  const { repository, directory } = survey;
  const settings = files.find(({ part }) => part === 'settings');
  const config = settings === undefined ? survey.config : readProjectConfig(settings.text, settings.path);
  const snapshot = withNewFiles(survey.snapshot, files);
  const policy = reviewPolicy(
    await extendFromSnapshot(config, inRepository(directory, 'millrace.yaml'), snapshot),
    directory,
  );
  const report = await reviewLocally(
    {
      repository,
      directory,
      branch: survey.branch,
      commit: 'HEAD',
      snapshot,
      scope: 'all',
      ...config.files,
      configDir: config.configDir,
      agentVersion: '',
      failOn: config.review.failOn,
      ...policy,
    },
    context,
  );
  const findings = report.findings.filter(({ state }) => state === 'new');
  return {
    findings,
    broken: findings.filter(({ errorType }) => errorType !== undefined),
    baseline: policy.baseline ?? '',
    baselineText: writeBaseline(report.nextBaseline),
    recorded: report.nextBaseline.length,
  };
}

/** A snapshot that also has files that do not exist yet. */
function withNewFiles(snapshot: Snapshot, files: readonly NewFile[]): Snapshot {
  const contents = new Map(files.map(({ path, text }) => [path, Buffer.from(text)]));
  const entries = Array.from(contents.keys(), (path) => ({
    path,
    mode: '100644',
    type: 'blob' as const,
    oid: '',
  }));
  return {
    ...overlaySnapshot(snapshot, contents),
    list: async (under = '') => [...(await snapshot.list(under)), ...inFolder(entries, under)],
  };
}
