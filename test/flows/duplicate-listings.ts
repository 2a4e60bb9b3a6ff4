import type { FlowEnvironment } from './flow-environment.ts';

interface Entry {
  readonly versionName: string;
  readonly enabled?: boolean;
  /** Hours of 2026-01-01; the last one is the newest. */
  readonly hour: number;
  readonly commitHash?: string;
}

/** Has the platform list these versions, as a page that moved while it was read shows one twice. */
export function listVersions(
  env: Pick<FlowEnvironment, 'platform'>,
  environmentName: string,
  entries: readonly Entry[],
) {
  const results = entries.map(({ versionName, enabled = true, hour, commitHash = 'c'.repeat(40) }) => {
    const at = `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
    return { versionName, environmentName, commitHash, branch: null, enabled, createdAt: at, deployedAt: at };
  });
  answerList(env, 'artifacts.list', results);
}

/** The same for the shared versions of a prefix. */
export function listSharedVersions(
  env: Pick<FlowEnvironment, 'platform'>,
  prefix: string,
  entries: readonly Entry[],
) {
  const results = entries.map(({ versionName, enabled = true, hour }) => ({
    sharedPipelineIdPrefix: prefix,
    versionName,
    enabled,
    createdAt: `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`,
    provider: 'git-host',
    commitHash: 'c'.repeat(40),
    branch: null,
  }));
  answerList(env, 'sharedArtifacts.list', results);
}

function answerList(
  { platform }: Pick<FlowEnvironment, 'platform'>,
  operation: 'artifacts.list' | 'sharedArtifacts.list',
  results: readonly object[],
): void {
  const body = { page: 0, size: 100, total: results.length, results };
  platform.faults.set([{ operation, status: 200, body }]);
}
