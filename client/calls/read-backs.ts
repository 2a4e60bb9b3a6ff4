import type { OperationId } from '../../lib/contract/operations.ts';
import { type ListedVersion, onePerVersion } from '../../lib/core/values/listed-version.ts';

type Input = Readonly<Record<string, unknown>>;

/** The reading calls of the contract that a read-back uses. */
export interface PlatformReader {
  read(operation: OperationId, input: Input): Promise<unknown>;
  items(operation: OperationId, input: Input): AsyncIterable<unknown>;
}

/** What the platform shows about a call whose answer was lost. */
export type ReadBackResult =
  /** The effect is there and matches the input; `answer` is what the call resolves to. */
  | { readonly kind: 'applied'; readonly answer: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent' }
  /** The version exists but is disabled, so the call did not achieve what was asked for (spec §3.3). */
  | { readonly kind: 'disabled' }
  /** The name belongs to a version from another commit. */
  | { readonly kind: 'other-commit'; readonly commitHash: string }
  /** The name exists, but the platform does not show from which commit. */
  | { readonly kind: 'ambiguous' };

/** How to find out whether an operation took effect. */
export interface ReadBack {
  /** The reading operation, for messages. */
  readonly operation: OperationId;
  check(input: Input, reader: PlatformReader): Promise<ReadBackResult>;
}

/**
 * The operations whose effect the API shows. Starts, projects, connections, repositories and streaming pipelines are
 * missing: nothing that the API shows distinguishes our effect from another caller's.
 */
export const readBacks: Readonly<Partial<Record<string, ReadBack>>> = {
  'artifacts.create': {
    operation: 'artifacts.list',
    async check(input, reader) {
      const result = await checkArtifact(input, input['environmentName'], reader);
      return result.kind === 'applied'
        ? { ...result, answer: { versionName: input['versionName'] } }
        : result;
    },
  },
  'artifacts.promote': {
    operation: 'artifacts.list',
    check: async (input, reader) => checkArtifact(input, input['targetEnvironmentName'], reader),
  },
  'sharedArtifacts.publish': {
    operation: 'sharedArtifacts.details',
    async check({ sharedPipelineIdPrefix, versionName, commitHash }, reader) {
      const answer = await reader.read('sharedArtifacts.details', { sharedPipelineIdPrefix, versionName });
      const { artifactDetails } = answer as {
        artifactDetails: { commitHash?: string | null; enabled: boolean };
      };
      const difference = commitDifference(artifactDetails.commitHash, commitHash);
      if (difference !== undefined) return difference;
      if (!artifactDetails.enabled) return { kind: 'disabled' };
      return { kind: 'applied', answer: { sharedPipelineIdPrefix, versionName } };
    },
  },
  'overrides.set': { operation: 'overrides.list', check: checkOverrides },
};

interface Listed extends ListedVersion {
  readonly environmentName: string;
  readonly commitHash?: string | null;
}

/**
 * A promotion names no commit, so the version only has to exist and be enabled. Every page is read, because the record
 * that counts may be on a later page.
 */
async function checkArtifact(
  { projectId, versionName, commitHash }: Input,
  environmentName: unknown,
  reader: PlatformReader,
): Promise<ReadBackResult> {
  const records: Listed[] = [];
  const query = { projectId, environmentName, includeDisabled: true, size: 100 };
  for await (const item of reader.items('artifacts.list', query)) {
    const artifact = item as Listed;
    if (artifact.versionName === versionName && artifact.environmentName === environmentName)
      records.push(artifact);
  }
  const [record] = onePerVersion(records);
  if (record === undefined) return { kind: 'absent' };
  const difference = commitHash === undefined ? undefined : commitDifference(record.commitHash, commitHash);
  if (difference !== undefined) return difference;
  if (!record.enabled) return { kind: 'disabled' };
  return { kind: 'applied', answer: { environmentName, versionName } };
}

/** `undefined` if both commits are known and equal. */
function commitDifference(actual: string | null | undefined, expected: unknown): ReadBackResult | undefined {
  if (typeof actual !== 'string' || typeof expected !== 'string') return { kind: 'ambiguous' };
  return actual === expected ? undefined : { kind: 'other-commit', commitHash: actual };
}

interface Override {
  readonly environmentName: string;
  readonly value: string | number;
}

/** Missing overrides prove nothing: the platform also omits an override that it cannot apply (spec §4.6 rule 2). */
async function checkOverrides(input: Input, reader: PlatformReader): Promise<ReadBackResult> {
  const { projectId, variableName } = input;
  const expected = input['overrides'] as readonly Override[];
  const answer = await reader.read('overrides.list', { projectId, variableName });
  const { variable, overrides } = answer as { variable: { type: string }; overrides: readonly Override[] };
  const allApplied = expected.every(({ environmentName, value }) =>
    overrides.some((override) => override.environmentName === environmentName && override.value === value),
  );
  if (!allApplied) return { kind: 'absent' };
  return {
    kind: 'applied',
    answer: { variableName, type: variable.type, successfulOverrides: expected, failedOverrides: [] },
  };
}
