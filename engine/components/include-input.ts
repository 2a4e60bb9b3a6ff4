import { childOf } from '../../lib/yaml/yaml-node.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { placeOfNode, readText, readYesNo } from '../parameters/parameter-reader.ts';
import type { Binding, Parameter } from './component-type.ts';

export const includeInputColumns: Parameter = {
  form: 'yes-no',
  meaning: 'whether the output also has the columns of the input',
};

/**
 * Reads whether the output includes the columns of the input. The parameter has no default here: pipeline files
 * always set it, and the default differs between component types.
 */
export function includesInput({ parameters, reader }: Binding, key = 'includeInputColumns'): boolean {
  const node = childOf(parameters, key);
  if (readText(node, reader) !== undefined) return readYesNo(node, reader, false);
  throw new ParameterError(
    `the parameter ${key} is not set: write Yes or No`,
    placeOfNode(parameters, reader),
  );
}
