import type { Component } from '../../../lib/pipelines/model/component.ts';
import { fixedText } from '../../parameters/read-rows.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import { resolveText } from '../../parameters/resolve-text.ts';
import type { ComponentFrame } from './run.ts';

/** The text of a parameter with its variables replaced. Undefined if the parameter is not set. */
export function parameterText(
  component: Component,
  name: string,
  { reader }: ComponentFrame,
): string | undefined {
  return readText(component.parameter(name), reader)?.text;
}

/** Replaces the variables in a text of a component's parameters. */
export function replaceVariables(
  text: string,
  component: Component,
  { document, reader }: ComponentFrame,
): string {
  const { line, column } = component.range;
  return resolveText(fixedText(text, { file: document.path, line, column }), reader.scope).text;
}
