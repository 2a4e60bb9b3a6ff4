import { type Range, wholeFile } from '../core/outcomes/finding.ts';
import { readYaml, type SourceProblem, type YamlSource } from '../yaml/read-yaml.ts';
import {
  childOf,
  type Span,
  textOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../yaml/yaml-node.ts';

/** The path of the rules file in a repository (spec §2.8); the folder's name is a setting. */
export function rulesFilePath(configFolder = '.platform'): string {
  return `${configFolder}/config/pipeline_quality_rules.yaml`;
}

/**
 * The rules file for a folder: the one in the nearest configuration folder, in this folder or above it. If there is
 * none, the path of the repository's rules file, which then does not exist (unknowns §4).
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

/** The folder of a path; `''` for the repository's root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folder of a rules file; undefined if the path is not a rules file. */
export function folderOfRules(path: string, configFolder?: string): string | undefined {
  const file = rulesFilePath(configFolder);
  if (path === file) return '';
  return path.endsWith(`/${file}`) ? path.slice(0, -file.length - 1) : undefined;
}

/** One enabled entry of the rules file, not yet checked against the known rules. */
export interface RuleEntry {
  readonly id: string;
  /** As written; any value other than `warn` and `error` makes the rule an error. */
  readonly enforcementLevel: string | undefined;
  /** The range of the level, or of its key if it is empty; absent if there is none. */
  readonly levelRange: Range | undefined;
  readonly config: YamlNode | undefined;
  /** The range of the id. */
  readonly range: Range;
  readonly rangeOf: (node: YamlNode) => Range;
}

export interface RulesFile {
  readonly path: string;
  /** Enabled entries in the order of the file. */
  readonly entries: readonly RuleEntry[];
  /** With any problem, the file counts as unreadable: `designer/rules-file-parse-error`. */
  readonly problems: readonly SourceProblem[];
}

/**
 * Parses a rules file (unknowns §4). Ignores disabled entries. Problems are an `enabled` that is not a boolean, an
 * entry without `id`, and a file that is not a map with a list `rules`.
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
    refuse('A rules file must have a list "rules"', source.keyRangeOf(['rules']));
    return { path, entries: [], problems };
  }
  const entries = rules.items.flatMap((node) => {
    if (node.kind !== 'map') {
      refuse('A rule must be a map with "id", "enabled" and "enforcementLevel"', source.toRange(node));
      return [];
    }
    const enabled = childOf(node, 'enabled');
    if (enabled?.kind !== 'scalar' || typeof enabled.value !== 'boolean') {
      refuse('"enabled" of a rule must be true or false', source.toRange(enabled ?? startOf(node)));
      return [];
    }
    if (!enabled.value) return [];
    const id = childOf(node, 'id');
    const name = textOf(id);
    if (id === undefined || name === undefined || name === '') {
      refuse('A rule must have an "id"', source.toRange(id ?? startOf(node)));
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

/** The range of a value, or of its key if it is empty. */
function rangeOfValue({ toRange }: YamlSource, entry: YamlEntry | undefined): Range | undefined {
  return entry && toRange(entry.value.end > entry.value.start ? entry.value : entry.key);
}

/** The first key of a map, because the range of the whole map covers many lines. */
function startOf(node: YamlMap): Span {
  const [first] = node.entries.values();
  return first?.key ?? node;
}
