import type { PlatformContext } from '../context/context.ts';
import type { Value } from './wanted-variables.ts';

/** A variable as the platform lists it (spec §2.9). */
export interface ListedVariable {
  readonly name: string;
  readonly type: string;
  readonly behaviour?: string | undefined;
  readonly description?: string | null | undefined;
  readonly value?: Value | null | undefined;
  readonly supportsDoubleResolution?: boolean | null | undefined;
}

/** A variable on the platform, with its values in environments. */
export interface CurrentVariable {
  readonly variable: ListedVariable;
  readonly overrides: ReadonlyMap<string, Value>;
}

/** Number of concurrent requests for overrides. */
const concurrency = 8;

/**
 * Reads all variables with all overrides. The API returns the overrides of each variable separately (spec §4.6).
 * Throws what the client throws.
 */
export async function currentVariables(context: PlatformContext): Promise<Map<string, CurrentVariable>> {
  return withOverrides(await listVariables(context), context);
}

/** All variables without their overrides. Reads every page. */
export async function listVariables({
  client,
  projectId,
  signal,
}: PlatformContext): Promise<ListedVariable[]> {
  const list: ListedVariable[] = [];
  for await (const variable of client.variables.list({ projectId, size: 100 }, { signal }))
    list.push(variable);
  return list;
}

/** Adds the overrides of variables, with one request for each variable (spec §4.6). */
export async function withOverrides(
  variables: readonly ListedVariable[],
  { client, projectId, signal }: PlatformContext,
): Promise<Map<string, CurrentVariable>> {
  const byName = new Map<string, CurrentVariable>();
  const waiting = variables.values();
  async function readOverrides(): Promise<void> {
    // The shared iterator gives each variable to exactly one of the concurrent loops.
    for (const variable of waiting) {
      const { overrides } = await client.overrides.list(
        { projectId, variableName: variable.name },
        { signal },
      );
      const values = overrides.map(({ environmentName, value }) => [environmentName, value] as const);
      byName.set(variable.name, { variable, overrides: new Map(values) });
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readOverrides));
  return byName;
}
