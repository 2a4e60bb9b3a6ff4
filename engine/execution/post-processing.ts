import type { Component } from '../../lib/pipelines/component.ts';
import { childOf, isEmpty } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { placeOfNode, readText } from '../parameters/parameter-reader.ts';
import { readRows } from '../parameters/read-rows.ts';
import { type ComponentFrame, failure, type Result } from './run.ts';
import { resultReader } from './system-variables.ts';

/**
 * What a component does after its success: sets variables, and replaces the message of its step. Throws
 * ParameterError and Refusal.
 */
export function postProcess(component: Component, frame: ComponentFrame, result: Result): Result {
  const node = component.node('postProcessing');
  if (isEmpty(node) || result.status !== 'success' || result.isReplaced === true) return result;
  const reader = resultReader(frame, frame.now, result);
  const grids = childOf(node, 'updateGridVariables');
  if (grids !== undefined && !isEmpty(grids)) {
    throw new Refusal('`updateGridVariables` after a component', placeOfNode(grids, reader));
  }
  for (const { cells } of readRows(childOf(node, 'updateScalarVariables'), reader)) {
    const refusal = frame.variables.set(cells[0]?.text ?? '', cells[1]?.text ?? '');
    if (refusal !== undefined) return failure(refusal);
  }
  const message = readText(childOf(node, 'updateOutputMessage'), reader)?.text;
  return message === undefined ? result : { ...result, message };
}
