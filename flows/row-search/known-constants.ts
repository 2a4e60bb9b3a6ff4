import { scalarsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { variableName } from '../../lib/pipelines/model/variable-name.ts';
import { scriptFacts } from '../../lib/pipelines/checks/missing-file.ts';
import { timesIn } from './known-times.ts';
import { calledPipelines } from '../pipeline-tests/first-test/examples/called-pipelines.ts';
import { sameColumns } from '../pipeline-tests/first-test/examples/same-columns.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';

/** A constant in a pipeline, and whether it is next to the name of the column. */
export interface Constant {
  readonly value: string;
  readonly isNear: boolean;
}

/** The constants with which pipelines may compare a column; those next to its name come first. */
export type ConstantsOf = (column: string) => readonly Constant[];

/** In characters. */
const nearDistance = 60;

/** More constants of one column are not tried. */
const maxConstants = 24;

interface Source {
  readonly text: string;
  readonly upper: string;
  readonly names: (column: string) => readonly string[];
  readonly constants: readonly { readonly at: number; readonly value: string }[];
}

/** Whether a text is the name of a component, table or column instead of a value. */
export type IsName = (text: string) => boolean;

export interface ConstantOptions {
  readonly variables: ReadonlyMap<string, string>;
  readonly isName: IsName;
  /** The time at which the pipeline starts, in milliseconds since the epoch. */
  readonly startsAt: number;
}

/**
 * The constants of a pipeline and of the pipelines and SQL files that it runs, in one or more versions of the project. Times at a distance from
 * the start of the pipeline count as constants too.
 */
export function findConstants(
  pipeline: string,
  projects: readonly TestProject[],
  options: ConstantOptions,
): ConstantsOf {
  const sources = projects.flatMap((project) => sourcesOf(pipeline, project, options));
  const answers = new Map<string, readonly Constant[]>();
  return (column) => {
    const known = answers.get(column) ?? constantsOf(column, sources);
    answers.set(column, known);
    return known;
  };
}

function constantsOf(column: string, sources: readonly Source[]): readonly Constant[] {
  const nearest = new Map<string, number>();
  for (const { upper, names, constants } of sources) {
    const places = names(column).flatMap((name) => placesOf(name.toUpperCase(), upper));
    if (places.length === 0) continue;
    for (const { at, value } of constants) {
      const distance = Math.min(...places.map((place) => Math.abs(at - place)));
      if (distance < (nearest.get(value) ?? Infinity)) nearest.set(value, distance);
    }
  }
  return [...nearest]
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, maxConstants)
    .map(([value, distance]) => ({ value, isNear: distance <= nearDistance }));
}

function placesOf(name: string, text: string): readonly number[] {
  const pattern = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`, 'gu');
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

function sourcesOf(
  pipeline: string,
  project: TestProject,
  { variables, isName, startsAt }: ConstantOptions,
): readonly Source[] {
  return calledPipelines(pipeline, project).flatMap((file) => {
    const document = project.pipeline(file);
    if (document === undefined) return [];
    const scripts = scriptFacts(document).flatMap(({ path }) =>
      path === undefined || !project.has(path) ? [] : (project.text(path) ?? []),
    );
    const texts = [...document.components.values()].map((component) => textOf(component.node('parameters')));
    const valueOf = (name: string) => {
      const defaultValue = document.variables.get(name)?.defaultValue;
      return variables.get(name) ?? (typeof defaultValue === 'string' ? defaultValue : '');
    };
    return [...texts, ...scripts].map((written): Source => {
      const text = written.replaceAll(reference, (_, name: string) => valueOf(name));
      return {
        text,
        upper: text.toUpperCase(),
        names: (column) => sameColumns(column, document),
        constants: [
          ...literalsIn(text, (name) => isName(name) || document.components.has(name)),
          ...timesIn(text, startsAt),
        ],
      };
    });
  });
}

/** The values of parameters. Only those that may be values of columns are between blank lines: a cell of a condition, not a name or SQL. */
function textOf(parameters: YamlNode | undefined): string {
  if (parameters?.kind !== 'map') return '';
  return Array.from(parameters.entries, ([key, { value }]) => {
    const cells = Array.from(scalarsOf(value), ({ text }) => text);
    return /condition|values?$/i.test(key) ? `\n\n${cells.join('\n\n')}\n\n` : `\n ${cells.join('\n ')}\n`;
  }).join(' ');
}

const reference = new RegExp(String.raw`\$\{(${variableName})\}`, 'gu');

/** Numbers, texts in single quotes, and cells of a parameter. */
function literalsIn(
  text: string,
  isName: IsName,
): readonly { readonly at: number; readonly value: string }[] {
  const pattern =
    /'((?:[^'\n]|'')*)'|(?<![\w."$])(-?\d+(?:\.\d+)?)(?![\w."])|(?<=^|\n\n)([^\n]{1,40})(?=$|\n\n)/g;
  return [...text.matchAll(pattern)].flatMap(({ index, 1: quoted, 2: number, 3: cell }) => {
    const value = quoted?.replaceAll("''", "'") ?? number ?? cell ?? '';
    if (
      !/[\p{L}\p{N}]/u.test(value) ||
      value.length > 60 ||
      (cell !== undefined && (words.test(cell) || isName(cell)))
    )
      return [];
    const parts =
      cell === undefined ? [value] : cell.split(',').map((part) => part.trim().replace(/^'(.*)'$/, '$1'));
    return parts.flatMap((part) => variantsOf(part).map((each) => ({ at: index, value: each })));
  });
}

/** Cells that are never values of a column. */
const words =
  /^(?:is|not|and|or|in|like|null.*|blank|equal to|(?:greater|less) than.*|ascending|descending|yes|no|sum|max|min|average|count.*|inner|left|right|full|\[.*\]|[a-z_]\w*\.[a-z_]\w*|"[^"]*")$/i;

/** A pattern of LIKE is also tried as texts that match it. */
function variantsOf(value: string): readonly string[] {
  if (!/[%_]/.test(value)) return [value];
  const plain = value.replaceAll('%', '');
  return plain === '' ? [value] : [value, plain, value.replaceAll('%', 'a').replaceAll('_', 'b')];
}
