import type { Component } from '../../lib/pipelines/model/component.ts';
import { FileProblems } from '../tables/file-problem.ts';
import { callOf } from '../../lib/pipelines/model/calls.ts';
import { codeTypes } from '../../lib/pipelines/model/component-types.ts';
import { scalarsOf, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';

const updateCall = /\bupdate(?:Grid)?Variable\s*\(\s*(["'][\p{L}_][\p{L}\p{N}_]*["']\s*,)?/gu;
const codeFile = /\.(?:py|sh)$/i;

/**
 * The names of the variables whose value a component may change: all variables that its parameters name, whatever its
 * type. If code in it computes the name of a variable, the result contains all variables.
 */
export function variablesSetBy(
  component: Component,
  variables: SymbolicVariables,
  files: (path: string) => string | undefined,
): readonly string[] {
  // The parameters of a call name the variables of the called pipeline.
  const parameters = callOf(component) === undefined ? textsOf(component.node('parameters')) : [];
  const named = [...parameters, ...textsOf(component.node('postProcessing'))];
  const code = codeTypes.has(component.type)
    ? [...parameters, ...parameters.filter((text) => codeFile.test(text)).map((path) => read(path, files))]
    : [];
  const isComputed = code.some((text) =>
    [...text.matchAll(updateCall)].some(([, name]) => name === undefined),
  );
  if (isComputed) return variables.names();
  return [...named, ...code.flatMap((text) => text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])];
}

function textsOf(node: YamlNode | undefined): readonly string[] {
  return Array.from(scalarsOf(node), (scalar) => textOf(scalar) ?? '');
}

/** The text of a file. Empty if the file does not exist or is not text. */
function read(path: string, files: (path: string) => string | undefined): string {
  try {
    return files(path) ?? '';
  } catch (error) {
    if (error instanceof FileProblems) return '';
    throw error;
  }
}
