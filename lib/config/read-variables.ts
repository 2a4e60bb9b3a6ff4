import { type ReadConfig, readConfig } from './read-config.ts';
import { type VariablesFile, variablesSchema } from './variables-schema.ts';

/** Reads a file of variables. Failure 'config-invalid' at the line and column of the first problem. */
export function readVariables(text: string, file: string): ReadConfig<VariablesFile> {
  return readConfig(text, file, { schema: variablesSchema });
}
