import { type ReadConfig, readConfig } from '../fields/read-config.ts';
import { type VariablesFile, variablesSchema } from './variables-schema.ts';

/** Parses a file of variables. Throws Failure 'config-invalid' at the line and column of the first problem. */
export function readVariables(text: string, file: string): ReadConfig<VariablesFile> {
  return readConfig(text, file, { schema: variablesSchema });
}
