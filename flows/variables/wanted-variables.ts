import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import { fits, type VariablesFile } from '../../lib/config/project/variables-schema.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import { Failure, type Place } from '../../lib/core/errors/failure.ts';

export type Value = string | number;

/** A variable as the files define it. `undefined` fields are not changed. */
export interface WantedVariable {
  readonly type: 'TEXT' | 'NUMBER';
  readonly behaviour: 'SHARED' | 'COPIED';
  readonly description: string | undefined;
  readonly value: Value | undefined;
  readonly supportsDoubleResolution: boolean | undefined;
  /** Position in the file. */
  readonly place: Place;
}

/** The combined content of all files. */
export interface WantedVariables {
  /** `undefined` if no file has `variables`: then no variable is created, changed or deleted. */
  readonly variables: ReadonlyMap<string, WantedVariable> | undefined;
  /** Values by environment and variable, for the environments that the files name. */
  readonly environments: ReadonlyMap<string, ReadonlyMap<string, { value: Value; place: Place }>>;
  /** Position of an environment's name, for messages. */
  readonly placeOf: (environment: string) => Place | undefined;
}

/**
 * Merges the files. Throws Failure 'config-invalid' if two define the same variable or the same value, at the
 * position of the second.
 */
export function wantedVariables(files: readonly ReadConfig<VariablesFile>[]): WantedVariables {
  const variables = new Map<string, WantedVariable>();
  const environments = new Map<string, Map<string, { value: Value; place: Place }>>();
  const places = new Map<string, Place>();
  for (const { value: file, placeOf, keyPlaceOf } of files) {
    for (const [name, definition] of Object.entries(file.variables ?? {})) {
      const place = keyPlaceOf(['variables', name]);
      refuseDuplicate(variables.get(name)?.place, place, `variable "${name}"`);
      variables.set(name, {
        type: definition.type,
        behaviour: definition.behaviour,
        description: definition.description,
        value: definition.value,
        supportsDoubleResolution: definition['supports-double-resolution'],
        place,
      });
    }
    for (const [environment, values] of Object.entries(file.environments ?? {})) {
      const merged = environments.get(environment) ?? new Map<string, { value: Value; place: Place }>();
      environments.set(environment, merged);
      if (!places.has(environment)) places.set(environment, keyPlaceOf(['environments', environment]));
      for (const [name, value] of Object.entries(values)) {
        const place = placeOf(['environments', environment, name]);
        refuseDuplicate(merged.get(name)?.place, place, `the value of "${name}" in ${environment}`);
        merged.set(name, { value, place });
      }
    }
  }
  return {
    variables: files.some(({ value }) => value.variables !== undefined) ? variables : undefined,
    environments,
    placeOf: (environment) => places.get(environment),
  };
}

function refuseDuplicate(first: Place | undefined, second: Place, what: string): void {
  if (first === undefined) return;
  throw new Failure('config-invalid', {
    message: `${what} is given twice, first in ${first.file ?? ''}:${String(first.line ?? 1)}.`,
    hint: 'Remove one of the two entries.',
    where: second,
  });
}

/** The environments and variables on the platform, against which the files are validated. */
export interface Known {
  readonly environments: readonly string[];
  /** Types of the existing variables. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * Refuses a value for an unknown environment, for a variable that is neither in the files nor on the platform, or
 * of the wrong type, because the platform would report it as failed in an answer with status 200 (spec §4.6 rule
 * 2). Throws Failure 'config-invalid' at the first such value.
 */
export function validateWanted({ variables, environments, placeOf }: WantedVariables, existing: Known): void {
  for (const [environment, values] of environments) {
    if (!existing.environments.includes(environment))
      throw refusal(
        `The project has no environment "${environment}"`,
        environment,
        existing.environments,
        placeOf(environment),
      );
    for (const [name, { value, place }] of values) {
      const type = variables?.get(name)?.type ?? existing.types.get(name);
      if (type === undefined) {
        const names = [...new Set([...(variables?.keys() ?? []), ...existing.types.keys()])];
        throw refusal(
          `The variable "${name}" is neither in the files nor on the platform`,
          name,
          names,
          place,
        );
      }
      if (!fits(type, value)) {
        throw new Failure('config-invalid', {
          message: `The value of "${name}" in ${environment} does not fit its type ${type}.`,
          where: place,
          hint: type === 'TEXT' ? 'Put the value into quotes.' : 'Write a number, without quotes.',
        });
      }
    }
  }
}

function refusal(
  what: string,
  word: string,
  knownNames: readonly string[],
  where: Place | undefined,
): Failure {
  return new Failure('config-invalid', {
    message: `${what}${meantClause(word, knownNames) || '.'}`,
    ...(where === undefined ? {} : { where }),
    hint:
      knownNames.length === 0
        ? `Create "${word}" first.`
        : `Known names: ${knownNames.slice(0, 20).join(', ')}.`,
  });
}
