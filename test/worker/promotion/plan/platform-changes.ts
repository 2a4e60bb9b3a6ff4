import { projectId, type WorkerEnvironment } from '../../../environment/worker/worker-environment.ts';
import type { WireCall } from '../../../environment/worker/wire.ts';

/** What can change on the platform after a person approved, so that the approved plan is no longer what would happen. */
export const platformKinds = [
  'another version live',
  'live version disabled',
  'wanted version disabled',
  'override',
  'new variable',
] as const;

export type PlatformKind = (typeof platformKinds)[number];

export interface Change {
  apply(): Promise<unknown>;
  undo(): Promise<unknown>;
}

export const nothing = async (): Promise<void> => undefined;

/** The variables of the project, each with an override in the target. */
const variables = ['a_limit', 'b_limit', 'c_limit'];

/** Creates the variables and their overrides. */
export async function createVariables(env: WorkerEnvironment): Promise<void> {
  for (const name of variables) {
    await env.client.variables.create({
      projectId,
      name,
      type: 'NUMBER',
      behaviour: 'SHARED',
      value: 1,
    });
    await setOverride(env, name, 7);
  }
}

export const setOverride = async (env: WorkerEnvironment, variableName: string, value: number) =>
  env.client.overrides.set({ projectId, variableName, overrides: [{ environmentName: 'test', value }] });

/** The version that is live, of a list as `WorkerEnvironment.versions` gives it. */
export const liveOf = (versions: readonly string[]): string | undefined =>
  versions.find((version) => !version.startsWith('!'));

export interface ChangedPlan {
  readonly env: WorkerEnvironment;
  /** A number that no other trial in this environment has. */
  readonly n: number;
  /** The version that was approved. */
  readonly version: string;
  /** A version that was published, and that no promotion is about. */
  readonly other: string;
  /** The version that is live before the promotion. */
  readonly live: string | undefined;
}

/** A change of the platform, and how to take it back before the next trial. */
export function platformChange(kind: PlatformKind, { env, n, version, other, live }: ChangedPlan): Change {
  const setEnabled = async (environmentName: string, versionName: string, enabled: boolean) =>
    env.client.artifacts.setEnabled({ projectId, environmentName, versionName, enabled });
  const promoteOther = async () =>
    env.client.artifacts.promote({
      projectId,
      sourceEnvironmentName: 'dev',
      targetEnvironmentName: 'test',
      versionName: other,
    });
  switch (kind) {
    case 'another version live':
      return { apply: promoteOther, undo: nothing };
    case 'live version disabled':
      // The first trial has no live version.
      return live === undefined
        ? { apply: promoteOther, undo: nothing }
        : {
            apply: async () => setEnabled('test', live, false),
            // Otherwise the next trial is held, because its lane verified the version.
            undo: async () => setEnabled('test', live, true),
          };
    case 'wanted version disabled':
      return { apply: async () => setEnabled('dev', version, false), undo: nothing };
    case 'override':
      return { apply: async () => setOverride(env, 'b_limit', 100 + n), undo: nothing };
    case 'new variable':
      return {
        apply: async () =>
          env.client.variables.create({
            projectId,
            name: 'a_first',
            type: 'NUMBER',
            behaviour: 'SHARED',
            value: n,
          }),
        undo: async () => env.client.variables.delete({ projectId, variableName: 'a_first' }).catch(nothing),
      };
  }
}

export const lists =
  (environment: string) =>
  (call: WireCall): boolean =>
    call.method === 'GET' &&
    call.path.includes('/artifacts') &&
    call.path.includes(`environmentName=${environment}`);

/** The reads that show a change. */
export const showsOf: Readonly<Record<PlatformKind, (call: WireCall) => boolean>> = {
  'another version live': lists('test'),
  'live version disabled': lists('test'),
  'wanted version disabled': lists('dev'),
  override: ({ path }) => path.includes('/b_limit/environment-overrides'),
  'new variable': ({ path }) => /\/variables(\?|$)/u.test(path),
};
