import { OutcomeUnknown, RequestInvalid } from '../../client/index.ts';
import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import type { VariablesFile } from '../../lib/config/project/variables-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { currentVariables } from './current-variables.ts';
import { planVariables, type VariableChange, type VariablesPlan } from './plan-variables.ts';
import { validateWanted, type WantedVariable, wantedVariables } from './wanted-variables.ts';

export interface VariablesRequest {
  readonly files: readonly ReadConfig<VariablesFile>[];
  /** Delete variables and values that the files do not have. */
  readonly prune: boolean;
}

/** A value that the platform rejected in an answer with status 200 (spec §4.6 rule 2). */
export interface FailedOverride {
  readonly variable: string;
  readonly environment: string;
  readonly reason: string;
}

export interface VariablesReport extends VariablesPlan {
  /** `failed`: the platform rejected some values; everything else was done. */
  readonly outcome: 'passed' | 'nothing-to-do' | 'failed';
  readonly applied: boolean;
  readonly failed: readonly FailedOverride[];
}

/**
 * Plans the changes without making them. Throws Failure 'config-invalid' at the invalid line, and what the client
 * throws.
 */
export async function diffVariables(
  { files, prune }: VariablesRequest,
  context: PlatformContext,
): Promise<VariablesReport> {
  const desired = wantedVariables(files);
  const { client, projectId, signal, progress } = context;
  progress.step('Reading the variables');
  const environments: string[] = [];
  for await (const { name } of client.environments.list({ projectId, size: 100 }, { signal }))
    environments.push(name);
  const current = await currentVariables(context);
  const types = new Map([...current].map(([name, { variable }]) => [name, variable.type] as const));
  validateWanted(desired, { environments, types });
  const plan = planVariables(desired, current, prune);
  return {
    ...plan,
    outcome: plan.changes.length === 0 ? 'nothing-to-do' : 'passed',
    applied: false,
    failed: [],
  };
}

/**
 * Changes the variables on the platform to what the files say. Every step can be repeated, so a second call
 * continues after an interruption. `onPlan` is called before the first change. Throws what `diffVariables` and the
 * client throw; 'outcome-unknown' if a variable may have been created.
 */
export async function applyVariables(
  request: VariablesRequest,
  context: PlatformContext,
  onPlan: (plan: VariablesPlan) => void = () => {},
): Promise<VariablesReport> {
  const plan = await diffVariables(request, context);
  onPlan(plan);
  if (plan.changes.length === 0) return { ...plan, applied: true };
  const failed: FailedOverride[] = [];
  for (const change of plan.changes) {
    if (change.change === 'create') await create(change.variable, change.wanted, context);
    if (change.change === 'update') await update(change.variable, change.wanted, context);
  }
  for (const [variable, overrides] of overridesByVariable(plan.changes))
    failed.push(...(await setOverrides(variable, overrides, context)));
  // Delete last: a deletion cannot be undone, and the steps before may still fail.
  for (const change of plan.changes) await remove(change, context);
  return { ...plan, outcome: failed.length === 0 ? 'passed' : 'failed', applied: true, failed };
}

/** Every change includes `type` and `behaviour`, even if they are unchanged (spec §4.6). */
function fieldsOf({ type, behaviour, description, value, supportsDoubleResolution }: WantedVariable) {
  return {
    type,
    behaviour,
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { value }),
    ...(supportsDoubleResolution === undefined ? {} : { supportsDoubleResolution }),
  };
}

async function create(name: string, desired: WantedVariable, context: PlatformContext): Promise<void> {
  const { client, projectId, signal, progress } = context;
  progress.step(`Creating ${name}`);
  try {
    await client.variables.create({ projectId, name, ...fieldsOf(desired) }, { signal });
  } catch (error) {
    if (error instanceof RequestInvalid) throw refusalOf(error, name, desired);
    // Read back: the list shows whether the variable was created.
    if (!(error instanceof OutcomeUnknown)) throw error;
    for await (const variable of client.variables.list({ projectId, size: 100 }, { signal }))
      if (variable.name === name) return;
    throw error;
  }
}

async function update(
  variableName: string,
  variable: WantedVariable,
  { client, projectId, signal, progress }: PlatformContext,
): Promise<void> {
  progress.step(`Changing ${variableName}`);
  try {
    await client.variables.update({ projectId, variableName, ...fieldsOf(variable) }, { signal });
  } catch (error) {
    throw error instanceof RequestInvalid ? refusalOf(error, variableName, variable) : error;
  }
}

/**
 * The failure for a refused variable, at its line: for example, a new type that does not match values in
 * environments.
 */
function refusalOf(refused: RequestInvalid, name: string, { place }: WantedVariable): Failure {
  const sentences = refused.violations.map((violation) =>
    [violation.field, violation.message].filter(Boolean).join(' '),
  );
  return new Failure('config-invalid', {
    message: `The platform refused the variable "${name}": ${sentences.length === 0 ? refused.message : sentences.join('; ')}`,
    where: place,
    hint: 'Correct the line, and apply again. If the type changes, first delete the values in environments that do not fit it, or use a new name.',
    details: { violations: refused.violations },
    cause: refused,
  });
}

type SetOverride = Extract<VariableChange, { change: 'set-override' }>;

function overridesByVariable(changes: readonly VariableChange[]): Map<string, SetOverride[]> {
  const set = changes.filter((change) => change.change === 'set-override');
  return Map.groupBy(set, ({ variable }) => variable);
}

async function setOverrides(
  variableName: string,
  changes: readonly SetOverride[],
  { client, projectId, signal, progress }: PlatformContext,
): Promise<FailedOverride[]> {
  progress.step(`Setting the values of ${variableName}`);
  const overrides = changes.map(({ environment, to }) => ({ environmentName: environment, value: to }));
  const answer = await client.overrides.set({ projectId, variableName, overrides }, { signal });
  return (answer.failedOverrides ?? []).map(({ environmentName, reason }) => ({
    variable: variableName,
    environment: environmentName ?? '',
    reason: reason ?? 'The platform gave no reason.',
  }));
}

async function remove(
  change: VariableChange,
  { client, projectId, signal, progress }: PlatformContext,
): Promise<void> {
  if (change.change === 'delete-override') {
    progress.step(`Deleting the value of ${change.variable} in ${change.environment}`);
    const { variable: variableName, environment: environmentName } = change;
    await client.overrides.delete({ projectId, variableName, environmentName }, { signal });
  } else if (change.change === 'delete') {
    progress.step(`Deleting ${change.variable}`);
    await client.variables.delete({ projectId, variableName: change.variable }, { signal });
  }
}
