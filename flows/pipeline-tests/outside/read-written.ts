import type { ZodType } from 'zod';
import { type FileProblem, FileProblems, type PlaceOf } from '../../../engine/index.ts';
import { type ReadConfig, readConfig } from '../../../lib/config/fields/read-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { prefixedNumbers } from '../../../lib/yaml/prefixed-numbers.ts';
import { readYaml, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import { childOf, itemsOf, type YamlMap, type YamlNode } from '../../../lib/yaml/yaml-node.ts';

const partNames = ['given', 'mock', 'expect'] as const;

/** Parts of a test that are indented too far, so that they are read as a part of another one. */
function misplacedKeys(root: YamlNode | undefined, placeOf: PlaceOf): readonly FileProblem[] {
  return itemsOf(childOf(root, 'tests')).flatMap((test) => {
    if (test.kind !== 'map') return [];
    const absent = partNames.filter((key) => !test.entries.has(key));
    return [...misplaced(test, absent, [], placeOf)];
  });
}

function* misplaced(
  { entries }: YamlMap,
  absent: readonly string[],
  above: readonly string[],
  placeOf: PlaceOf,
): Generator<FileProblem> {
  for (const [name, { key, value }] of entries) {
    const parent = above.at(-1);
    if (parent !== undefined && absent.includes(name)) {
      const message = `\`${name}\` is indented too far: it is a part of \`${parent}\` here, not of the test`;
      yield { ...placeOf(key), message };
    } else if (value.kind === 'map') yield* misplaced(value, absent, [...above, name], placeOf);
  }
}

/** Reads a YAML file of tests. If a typical mistake explains the errors, only that mistake is reported. */
export function readWritten<Written>(
  text: string,
  file: string,
  schema: ZodType<Written>,
): ReadConfig<Written> {
  try {
    const read = readConfig(text, file, { schema, readsSpelling: true });
    const prefixed = prefixedNumbers(read.source);
    if (prefixed.length > 0)
      throw new FileProblems(
        prefixed.map(({ file: at, line, column, message }) => ({ file: at, line, column, message })),
      );
    return read;
  } catch (error) {
    if (!(error instanceof Failure) || !Array.isArray(error.details['problems'])) throw error;
    const source = readYaml(text, { file });
    const placeOf = placesIn(source);
    const causes = [...misplacedKeys(source.root, placeOf), ...unquotedTypes(source.root, placeOf)];
    throw new FileProblems(
      causes.length === 0 ? (error.details['problems'] as readonly FileProblem[]) : causes,
    );
  }
}

/** Finds the positions of the parts of a file. */
export function placesIn(source: YamlSource): PlaceOf {
  return (span) => {
    const { line, column } = source.toRange(span);
    return { file: source.file, line, column };
  };
}

/** Types such as `NUMBER(10,2)` without quotes inside braces, where YAML takes the comma for the end of the value. */
function* unquotedTypes(node: YamlNode | undefined, placeOf: PlaceOf): Generator<FileProblem> {
  for (const item of node?.kind === 'list' ? node.items : []) yield* unquotedTypes(item, placeOf);
  if (node?.kind !== 'map') return;
  let before: YamlNode | undefined;
  for (const [name, { value }] of node.entries) {
    const begin = before?.kind === 'scalar' ? before.text : '';
    if (before !== undefined && /\(\d+$/.test(begin) && /^\d+\)$/.test(name)) {
      const message = `write the type in quotes, '${begin},${name}': without them, its comma ends the value`;
      yield { ...placeOf(before), message };
    }
    yield* unquotedTypes(value, placeOf);
    before = value;
  }
}
