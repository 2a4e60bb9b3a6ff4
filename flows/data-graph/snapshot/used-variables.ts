import { expressionNames, expressionUse } from '../../../lib/pipelines/model/expression-names.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { variableName } from '../../../lib/pipelines/model/variable-name.ts';
import { scalarsOf } from '../../../lib/yaml/yaml-node.ts';

const firstName = new RegExp(String.raw`\$\{(${variableName})`, 'gu');

/** The names of the variables that a pipeline and its scripts use: `${name}`, and all names in an expression `${…}`. */
export function usedVariables(document: PipelineDocument, scripts: readonly string[]): readonly string[] {
  const names = new Set<string>();
  const add = (text: string) => {
    if (!text.includes('${')) return;
    for (const [, name = ''] of text.matchAll(firstName)) names.add(name);
    for (const [, expression = ''] of text.matchAll(expressionUse))
      for (const name of expressionNames(expression)) names.add(name);
  };
  // Of a pipeline that cannot be read, the whole text.
  if (document.problems.length > 0) add(document.source.text);
  else for (const scalar of scalarsOf(document.source.root)) add(scalar.text);
  for (const script of scripts) add(script);
  return [...names];
}
