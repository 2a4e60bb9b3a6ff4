import {
  type Call,
  calledPath,
  callOf,
  ownReferenceOf,
  resolveCall,
  resolveInProject,
  sharedReferenceOf,
} from '../../../lib/pipelines/model/calls.ts';
import { meantClause } from '../../../lib/core/text/did-you-mean.ts';
import { didYouMean } from '../../../lib/core/text/look-alike.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { OwnSharedPipelines } from '../../../lib/pipelines/model/shared-pipelines.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { type MisspelledCall, nearestPipeline } from '../../../lib/pipelines/checks/nearest-pipeline.ts';
import { kindOf, withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { Refusal } from '../../core/refusal.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readRows, refuseOtherKeys, refuseOtherThanPair } from '../../parameters/read-rows.ts';
import type { PublishedFiles } from '../run/execution-request.ts';
import { replaceVariables } from '../run/parameter-text.ts';
import type { GivenValues } from '../run/pipeline-variables.ts';
import { type ComponentFrame, failure, type Result, type RunComponent, success } from '../run/run.ts';
import { refuseUnmocked } from './run-task.ts';
import { runPipeline } from './run-pipeline.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import { simulate } from '../simulate/simulate.ts';

/** Runs the pipeline that a component calls, and passes the component's variables to it. */
export async function runCall(
  component: Component,
  frame: ComponentFrame,
  runComponent: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Promise<Result> {
  const { published } = frame;
  const call = callOf(component);
  if (call === undefined) return simulate(frame, scripted);
  const target = replaceVariables(call.target, component, frame);
  if (target === '') {
    const parameter = call.kind === 'shared' ? 'pipelineName' : `${call.kind}Job`;
    return failure(`the component does not name the pipeline to run: set the parameter ${parameter}`);
  }
  const values: GivenValues = {
    scalars: readScalars(component.parameter('setScalarVariables'), frame),
    grids: readGrids(component.parameter('setGridVariables'), frame),
  };
  if (call.kind === 'shared') return runShared({ call, target, values }, frame, runComponent, scripted);
  const targets = { has: (name: string) => published.paths.includes(name), roots: published.callRoots };
  const path = resolveInProject(target, targets, call.kind);
  if (path === undefined)
    return failure(
      unknownPipeline({ target, kind: call.kind, caller: frame.document.path }, published.paths),
    );
  return enter(frame, published, path, values, runComponent);
}

function unknownPipeline(call: MisspelledCall, paths: readonly string[]): string {
  const other = kindOf(call.target);
  if (other !== undefined && resolveCall(call.target, { has: (name) => paths.includes(name) }) !== undefined)
    return `"${call.target}" is not the file of ${call.kind === 'orchestration' ? 'an' : 'a'} ${call.kind}. To call it, use run-${other}`;
  const meant = nearestPipeline(call, paths);
  const hint = meant === undefined ? '' : `; ${didYouMean(call.target, withoutSuffix(meant))}`;
  return `the ${call.kind} "${call.target}" was not found${hint}`;
}

function unknownShared(
  target: string,
  shared: OwnSharedPipelines | undefined,
  paths: { has(path: string): boolean },
): string {
  const source = shared?.pipelines.get(sharedReferenceOf(target)?.id ?? '');
  if (source !== undefined) {
    const called = resolveCall(source, paths);
    const reason =
      called === undefined
        ? 'which does not exist'
        : `which the platform does not read as "${called}"; write "${withoutSuffix(called)}"`;
    return `the shared pipeline "${target}" is "${source}" in shared-pipelines.yaml, ${reason}`;
  }
  const names = [...(shared?.pipelines.keys() ?? [])].map((id) => `${shared?.prefix}#${id}`);
  return `this project has no shared pipeline "${target}" in shared-pipelines.yaml${meantClause(target, names)}`;
}

async function runShared(
  request: { readonly call: Call; readonly target: string; readonly values: GivenValues },
  frame: ComponentFrame,
  runComponent: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Promise<Result> {
  const { call, target } = request;
  const { run, published } = frame;
  const shared = sharedReferenceOf(target);
  if (shared === undefined)
    return failure(`"${target}" is not the name of a shared pipeline, which has the form prefix#id`);
  const { ownShared } = run.request;
  if (ownReferenceOf({ ...call, target }, ownShared) !== undefined) {
    const targets = { has: (name: string) => published.paths.includes(name), shared: ownShared };
    const path = calledPath({ ...call, target }, targets);
    if (path === undefined) return failure(unknownShared(target, ownShared, targets));
    return enter(frame, published, path, request.values, runComponent);
  }
  if (run.request.shared === undefined) {
    if (run.engine === undefined) return simulate(frame, scripted);
    return refuseUnmocked(call.component, frame);
  }
  const version = replaceVariables(call.version ?? '[Latest]', call.component, frame);
  const sharedVersion = run.request.shared(shared.prefix, shared.id, version);
  if (sharedVersion === undefined) {
    return failure(
      `the shared pipeline "${target}" has no version ${version} that can run: publish this version, or call another version`,
    );
  }
  return enter(frame, sharedVersion, sharedVersion.pipeline, request.values, runComponent);
}

/**
 * The values that a call passes. A simulated execution reads whatever rows there are. Throws ParameterError for a row that is not a name
 * and a value, and for a name in two rows.
 */
function readScalars(node: YamlNode | undefined, { reader, run }: ComponentFrame): GivenValues['scalars'] {
  const names = new Set<string>();
  return readRows(node, reader).flatMap((row) => {
    if (run.engine !== undefined) refuseOtherThanPair(row);
    const { cells, parameter, place } = row;
    const [name, value] = cells;
    if (name === undefined || name.text === '') return [];
    if (run.engine !== undefined && names.has(name.text))
      throw new ParameterError(`${parameter} names the variable "${name.text}" twice`, place);
    names.add(name.text);
    return [[name.text, value?.text ?? ''] as const];
  });
}

/** `{ variable, status, gridValues }`: rows as written, or columns of a grid of the caller, by position. */
function readGrids(node: YamlNode | undefined, { reader, run }: ComponentFrame): GivenValues['grids'] {
  const isStrict = run.engine !== undefined;
  const names = new Set<string>();
  return itemsOf(node).map((item): readonly [string, Grid] => {
    if (isStrict)
      refuseOtherKeys(item, 'a grid of setGridVariables', ['variable', 'status', 'gridValues'], reader);
    const name = textOf(childOf(item, 'variable')) ?? '';
    if (name === '') {
      const message =
        'an item of setGridVariables has no `variable`: add the name of the grid variable to set';
      throw new ParameterError(message, placeOfNode(item, reader));
    }
    if (isStrict && names.has(name))
      throw new ParameterError(`setGridVariables names the grid "${name}" twice`, placeOfNode(item, reader));
    names.add(name);
    const values = childOf(item, 'gridValues');
    if (isStrict && values === undefined)
      throw new ParameterError(
        `the grid "${name}" in setGridVariables has no \`gridValues\`: add its rows, or write [] for a grid without rows`,
        placeOfNode(item, reader),
      );
    const status = readText(childOf(item, 'status'), reader)?.text.trim().toLowerCase();
    if (status !== 'grid' && status !== 'values') {
      throw new Refusal(
        `the status "${status ?? ''}" of a grid`,
        placeOfNode(item, reader),
        'use grid or values',
      );
    }
    if ((status === 'grid') !== (childOf(values, 'fromGrid') !== undefined)) {
      const needed = status === 'grid' ? '`gridValues` has no `fromGrid`' : '`gridValues` has a `fromGrid`';
      throw new ParameterError(
        `the status of the grid "${name}" is ${status}, but ${needed}`,
        placeOfNode(item, reader),
      );
    }
    return [name, readRows(values, reader).map(({ cells }) => cells.map(({ text }) => text))];
  });
}

async function enter(
  frame: ComponentFrame,
  published: PublishedFiles,
  path: string,
  values: GivenValues,
  runComponent: RunComponent,
): Promise<Result> {
  const result = await runPipeline(frame.run, { published, path, values, caller: frame }, runComponent);
  return result.status === 'success' ? { ...result, ...success(result.message || `Ran "${path}".`) } : result;
}
