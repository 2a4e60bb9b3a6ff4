import type { OperationId } from '../lib/contract/operations.ts';
import { type ListedVersion, onePerVersion } from '../lib/core/listed-version.ts';

type Input = Readonly<Record<string, unknown>>;

/** Where the client looks: reading calls of the contract. */
export interface Viewpoint {
  read(operation: OperationId, input: Input): Promise<unknown>;
  items(operation: OperationId, input: Input): AsyncIterable<unknown>;
}

/** What can be seen of an effect whose answer was lost. */
export type Sight =
  /** It is there, and it is what was asked for; `answer` is what the call resolves to. */
  | { readonly kind: 'there'; readonly answer: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent' }
  /** It is there, and disabled: what was asked for does not hold (spec §3.3). */
  | { readonly kind: 'disabled' }
  /** The name is taken by something made from another commit. */
  | { readonly kind: 'foreign'; readonly commitHash: string }
  /** Something of that name is there, but whose it is cannot be told. */
  | { readonly kind: 'unclear' };

/** How an operation's effect is looked up. */
export interface Look {
  readonly at: OperationId;
  see(input: Input, from: Viewpoint): Promise<Sight>;
}

/**
 * The operations whose effect the API shows. Starts, projects, connections, repositories and streaming pipelines are
 * not among them: nothing that can be read would tell ours from another's.
 */
export const looks: Readonly<Partial<Record<string, Look>>> = {
  'artifacts.create': {
    at: 'artifacts.list',
    async see(input, from) {
      const sight = await seeArtifact(input, input['environmentName'], from);
      return sight.kind === 'there' ? { ...sight, answer: { versionName: input['versionName'] } } : sight;
    },
  },
  'artifacts.promote': {
    at: 'artifacts.list',
    see: async (input, from) => seeArtifact(input, input['targetEnvironmentName'], from),
  },
  'sharedArtifacts.publish': {
    at: 'sharedArtifacts.details',
    async see({ sharedPipelineIdPrefix, versionName, commitHash }, from) {
      const answer = await from.read('sharedArtifacts.details', { sharedPipelineIdPrefix, versionName });
      const { artifactDetails } = answer as {
        artifactDetails: { commitHash?: string | null; enabled: boolean };
      };
      const sight = compared(artifactDetails.commitHash, commitHash);
      if (sight === 'there' && !artifactDetails.enabled) return { kind: 'disabled' };
      return sight === 'there'
        ? { kind: 'there', answer: { sharedPipelineIdPrefix, versionName } }
        : foreignOr(sight, artifactDetails.commitHash);
    },
  },
  'overrides.set': { at: 'overrides.list', see: seeOverrides },
};

interface Listed extends ListedVersion {
  readonly environmentName: string;
  readonly commitHash?: string | null;
}

/**
 * A promotion names no commit: it wants the version to be there, and enabled. Every page is read: a later one may hold
 * the record of the version that counts.
 */
async function seeArtifact(
  { projectId, versionName, commitHash }: Input,
  environmentName: unknown,
  from: Viewpoint,
): Promise<Sight> {
  const records: Listed[] = [];
  const query = { projectId, environmentName, includeDisabled: true, size: 100 };
  for await (const item of from.items('artifacts.list', query)) {
    const artifact = item as Listed;
    if (artifact.versionName === versionName && artifact.environmentName === environmentName)
      records.push(artifact);
  }
  const [there] = onePerVersion(records);
  if (there === undefined) return { kind: 'absent' };
  if (commitHash !== undefined && there.commitHash !== commitHash)
    return foreignOr(compared(there.commitHash, commitHash), there.commitHash);
  if (!there.enabled) return { kind: 'disabled' };
  return { kind: 'there', answer: { environmentName, versionName } };
}

function compared(found: string | null | undefined, wanted: unknown): 'there' | 'foreign' | 'unclear' {
  if (typeof found !== 'string' || typeof wanted !== 'string') return 'unclear';
  return found === wanted ? 'there' : 'foreign';
}

function foreignOr(sight: 'there' | 'foreign' | 'unclear', found: string | null | undefined): Sight {
  return sight === 'foreign' ? { kind: 'foreign', commitHash: String(found) } : { kind: 'unclear' };
}

interface Override {
  readonly environmentName: string;
  readonly value: string | number;
}

/** Some missing proves nothing: an override that cannot be applied is missing after a good answer too (§4.6 rule 2). */
async function seeOverrides(input: Input, from: Viewpoint): Promise<Sight> {
  const { projectId, variableName } = input;
  const wanted = input['overrides'] as readonly Override[];
  const answer = await from.read('overrides.list', { projectId, variableName });
  const { variable, overrides } = answer as { variable: { type: string }; overrides: readonly Override[] };
  const applied = wanted.every(({ environmentName, value }) =>
    overrides.some((there) => there.environmentName === environmentName && there.value === value),
  );
  if (!applied) return { kind: 'absent' };
  return {
    kind: 'there',
    answer: { variableName, type: variable.type, successfulOverrides: wanted, failedOverrides: [] },
  };
}
