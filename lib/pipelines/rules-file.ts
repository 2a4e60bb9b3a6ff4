import { type Range, wholeFile } from '../core/finding.ts';
import { readYaml, type SourceProblem, type YamlSource } from '../yaml/read-yaml.ts';
import {
  childOf,
  type Span,
  textOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../yaml/yaml-node.ts';

/** Where the rules file stands in a repository (spec §2.8); the folder's name is a setting. */
export function rulesFilePath(configFolder = '.platform'): string {
  return `${configFolder}/config/pipeline_quality_rules.yaml`;
}

/**
 * The rules file that holds in a folder: that of the nearest configuration folder, in it or above it. Without any it is
 * that of the repository, which then is missing (unknowns §4).
 * @param folder `''` for the repository
 */
export function rulesFileFor(
  folder: string,
  isThere: (path: string) => boolean,
  configFolder?: string,
): string {
  const file = rulesFilePath(configFolder);
  for (let at = folder; at !== ''; at = folderOf(at)) if (isThere(`${at}/${file}`)) return `${at}/${file}`;
  return file;
}

/** The folder of a path; `''` for the repository. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folder that a rules file is for; nothing where the path is that of no rules file. */
export function folderOfRules(path: string, configFolder?: string): string | undefined {
  const file = rulesFilePath(configFolder);
  if (path === file) return '';
  return path.endsWith(`/${file}`) ? path.slice(0, -file.length - 1) : undefined;
}

/** One enabled entry of the rules file, not yet checked against the rules that there are. */
export interface RuleEntry {
  readonly id: string;
  /** As written; anything but `warn` and `error` makes the rule an error. */
  readonly enforcementLevel: string | undefined;
  /** Where the level stands, or its key where it is empty; absent where there is none. */
  readonly levelRange: Range | undefined;
  readonly config: YamlNode | undefined;
  /** Where the id stands. */
  readonly range: Range;
  readonly rangeOf: (node: YamlNode) => Range;
}

export interface RulesFile {
  readonly path: string;
  /** Enabled entries in the order of the file. */
  readonly entries: readonly RuleEntry[];
  /** With any, the file counts as unreadable: `designer/rules-file-parse-error`. */
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads a rules file (unknowns §4). Disabled entries are not looked at; an `enabled` that is no boolean, an entry
 * without `id`, and a file that is no map with a list `rules` are problems.
 */
export function readRulesFile(path: string, text: string): RulesFile {
  const source = readYaml(text, { file: path });
  if (source.problems.length > 0) return { path, entries: [], problems: source.problems };
  const problems: SourceProblem[] = [];
  const refuse = (message: string, range: Range | undefined) => {
    problems.push({ file: path, message, ...(range ?? wholeFile) });
  };
  const rules = childOf(source.root, 'rules');
  if (rules?.kind !== 'list') {
    refuse('A rules file holds a list "rules"', source.keyRangeOf(['rules']));
    return { path, entries: [], problems };
  }
  const entries = rules.items.flatMap((node) => {
    if (node.kind !== 'map') {
      refuse('A rule is a map with "id", "enabled" and "enforcementLevel"', source.toRange(node));
      return [];
    }
    const enabled = childOf(node, 'enabled');
    if (enabled?.kind !== 'scalar' || typeof enabled.value !== 'boolean') {
      refuse('"enabled" of a rule is true or false', source.toRange(enabled ?? startOf(node)));
      return [];
    }
    if (!enabled.value) return [];
    const id = childOf(node, 'id');
    const name = textOf(id);
    if (id === undefined || name === undefined || name === '') {
      refuse('A rule has an "id"', source.toRange(id ?? startOf(node)));
      return [];
    }
    return {
      id: name,
      enforcementLevel: textOf(childOf(node, 'enforcementLevel')),
      levelRange: rangeOfValue(source, node.entries.get('enforcementLevel')),
      config: childOf(node, 'config'),
      range: source.toRange(id),
      rangeOf: source.toRange,
    };
  });
  return { path, entries: problems.length > 0 ? [] : entries, problems };
}

/** Where a value stands, or its key where it is empty. */
function rangeOfValue({ toRange }: YamlSource, entry: YamlEntry | undefined): Range | undefined {
  return entry && toRange(entry.value.end > entry.value.start ? entry.value : entry.key);
}

/** The first key of a map: a map's own range covers many lines. */
function startOf(node: YamlMap): Span {
  const [first] = node.entries.values();
  return first?.key ?? node;
}
