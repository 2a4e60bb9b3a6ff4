import { OutcomeUnknown, RequestInvalid } from '../../client/index.ts';
import type { ReadConfig } from '../../lib/config/read-config.ts';
import type { VariablesFile } from '../../lib/config/variables-schema.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { currentVariables } from './current-variables.ts';
import { planVariables, type VariableChange, type VariablesPlan } from './plan-variables.ts';
import { validateWanted, type WantedVariable, wantedVariables } from './wanted-variables.ts';

export interface VariablesRequest {
  readonly files: readonly ReadConfig<VariablesFile>[];
  /** Deletes what the files do not have. */
  readonly prune: boolean;
}

/** A value that the platform did not take, inside a 200 (spec §4.6 rule 2). */
export interface FailedOverride {
  readonly variable: string;
  readonly environment: string;
  readonly reason: string;
}

export interface VariablesReport extends VariablesPlan {
  /** `failed`: the platform did not take some values; everything else was done. */
  readonly outcome: 'passed' | 'nothing-to-do' | 'failed';
  readonly applied: boolean;
  readonly failed: readonly FailedOverride[];
}

/** Plans, changes nothing. Throws Failure 'config-invalid' at the line that cannot be, and what the client throws. */
export async function diffVariables(
  { files, prune }: VariablesRequest,
  context: PlatformContext,
): Promise<VariablesReport> {
  const wanted = wantedVariables(files);
  const { client, projectId, signal, progress } = context;
  progress.step('Reading the variables');
  const environments: string[] = [];
  for await (const { name } of client.environments.list({ projectId, size: 100 }, { signal }))
    environments.push(name);
  const current = await currentVariables(context);
  const types = new Map([...current].map(([name, { variable }]) => [name, variable.type] as const));
  validateWanted(wanted, { environments, types });
  const plan = planVariables(wanted, current, prune);
  return {
    ...plan,
    outcome: plan.changes.length === 0 ? 'nothing-to-do' : 'passed',
    applied: false,
    failed: [],
  };
}

/**
 * Brings the platform's variables to what the files want. Every step may be repeated: a second run goes on where the
 * first was broken off. `planned` hears of the plan before anything is done.
 * Throws what `diffVariables` and the client throw; 'outcome-unknown' where a variable may have been created.
 */
export async function applyVariables(
  request: VariablesRequest,
  context: PlatformContext,
  planned: (plan: VariablesPlan) => void = () => {},
): Promise<VariablesReport> {
  const plan = await diffVariables(request, context);
  planned(plan);
  if (plan.changes.length === 0) return { ...plan, applied: true };
  const failed: FailedOverride[] = [];
  for (const change of plan.changes) {
    if (change.change === 'create') await create(change.variable, change.wanted, context);
    if (change.change === 'update') await update(change.variable, change.wanted, context);
  }
  for (const [variable, overrides] of overridesByVariable(plan.changes))
    failed.push(...(await setOverrides(variable, overrides, context)));
  // Last: what is deleted cannot be brought back, what comes before may still fail.
  for (const change of plan.changes) await remove(change, context);
  return { ...plan, outcome: failed.length === 0 ? 'passed' : 'failed', applied: true, failed };
}

/** `type` and `behaviour` go with every change, also where they stay as they are (spec §4.6). */
function fieldsOf({ type, behaviour, description, value, supportsDoubleResolution }: WantedVariable) {
  return {
    type,
    behaviour,
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { value }),
    ...(supportsDoubleResolution === undefined ? {} : { supportsDoubleResolution }),
  };
}

async function create(name: string, wanted: WantedVariable, context: PlatformContext): Promise<void> {
  const { client, projectId, signal, progress } = context;
  progress.step(`Creating ${name}`);
  try {
    await client.variables.create({ projectId, name, ...fieldsOf(wanted) }, { signal });
  } catch (error) {
    if (error instanceof RequestInvalid) throw refusalOf(error, name, wanted);
    // The list tells whether it was created after all.
    if (!(error instanceof OutcomeUnknown)) throw error;
    for await (const variable of client.variables.list({ projectId, size: 100 }, { signal }))
      if (variable.name === name) return;
    throw error;
  }
}

async function update(
  variableName: string,
  wanted: WantedVariable,
  { client, projectId, signal, progress }: PlatformContext,
): Promise<void> {
  progress.step(`Changing ${variableName}`);
  try {
    await client.variables.update({ projectId, variableName, ...fieldsOf(wanted) }, { signal });
  } catch (error) {
    throw error instanceof RequestInvalid ? refusalOf(error, variableName, wanted) : error;
  }
}

/** What the platform refuses, at its line. A new type, say, that values in environments do not fit. */
function refusalOf(refused: RequestInvalid, name: string, { place }: WantedVariable): Failure {
  const said = refused.violations.map((one) => [one.field, one.message].filter(Boolean).join(' '));
  return new Failure('config-invalid', {
    message: `The platform refuses the variable "${name}": ${said.length === 0 ? refused.message : said.join('; ')}`,
    where: place,
    hint: 'Mend the line, and apply again. Where the type changes, first delete the values in environments that do not fit it, or take a new name.',
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
  wanted: readonly SetOverride[],
  { client, projectId, signal, progress }: PlatformContext,
): Promise<FailedOverride[]> {
  progress.step(`Setting the values of ${variableName}`);
  const overrides = wanted.map(({ environment, to }) => ({ environmentName: environment, value: to }));
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
