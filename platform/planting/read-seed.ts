import { messageOf } from '../../lib/core/errors/message-of.ts';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { knownKeys, nodeAt } from '../../lib/core/values/known-keys.ts';
import { inexactNumbers } from '../../lib/yaml/inexact-numbers.ts';
import { prefixedNumbers } from '../../lib/yaml/prefixed-numbers.ts';
import { readYaml, type YamlSource } from '../../lib/yaml/read-yaml.ts';
import { childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { fieldPath, writtenSentences } from '../refusal/violations.ts';
import { type Seed, seedSchema, type ReadySeed } from '../seed/seed-schema.ts';
import { readFolder } from './read-folder.ts';
import { listTables, withTableFiles } from './read-tables.ts';

export interface SeedFile {
  /** Name of the file in errors. */
  readonly file: string;
  /** Base of the artifact folders. Default: the folder of the seed file. */
  readonly folder?: string;
}

/**
 * Reads a seed file and its folders.
 * @throws Failure `config-invalid` with file, line and column of the first problem.
 */
export function readSeed(text: string, options: SeedFile): Seed {
  const source = readYaml(text, { file: options.file });
  // The rows of tables are checked by the types of their columns.
  const except = childOf(source.root, 'tables');
  const [problem] = [...source.problems, ...inexactNumbers(source, { except }), ...prefixedNumbers(source)];
  if (problem !== undefined) throw invalid(problem.message, options.file, problem);
  refuseOtherFile(source, options.file);
  const { value, pathOf } = listTables(source.value ?? {});
  const checked = seedSchema.safeParse(value, { reportInput: true });
  const issue = worstOf(checked.error?.issues ?? []);
  if (issue !== undefined)
    throw invalid(
      `${writtenSentences([issue])[0] ?? 'it cannot be read'}${meantOf(issue)}`,
      options.file,
      placeOf(source, { ...issue, path: pathOf(issue.path) }),
    );
  if (checked.data === undefined) throw invalid('it cannot be read', options.file, undefined);
  const base = options.folder ?? dirname(resolve(options.file));
  const complain: Complain = (message, path) =>
    invalid(`${fieldPath(path)} ${message}`, options.file, source.rangeOf(path));
  const tables = withTableFiles(checked.data.tables, {
    base,
    file: options.file,
    placeOf: (path) => source.rangeOf(pathOf(path)),
    nodeOf: (table) => tableNode(childOf(source.root, 'tables'), table),
    placeOfNode: (node) => source.toRange(node),
  });
  return { ...withFolders(checked.data, base, complain), ...withFiles(checked.data, base), tables };
}

/** Files that are read later, when they are needed. */
function withFiles({ secrets, streamingSources }: ReadySeed, base: string): Partial<ReadySeed> {
  return {
    secrets: secrets.map((secret) =>
      secret.file === undefined ? secret : { ...secret, file: resolve(base, secret.file) },
    ),
    streamingSources: streamingSources.map((source) =>
      source.certificates === undefined
        ? source
        : { ...source, certificates: resolve(base, source.certificates) },
    ),
  };
}

function invalid(
  message: string,
  file: string,
  place: { line: number; column: number } | undefined,
): Failure {
  return new Failure('config-invalid', {
    message: `The seed is invalid: ${message}`,
    where: { file, line: place?.line ?? 1, column: place?.column ?? 1 },
  });
}

/**
 * Refuses a file without any key of a seed. Its author did not write a seed, so a list of its mistakes would not help. The
 * key `version` does not count, because many files have it.
 */
function refuseOtherFile({ root, value }: YamlSource, file: string): void {
  if (value === null || value === undefined) return;
  const keys = root?.kind === 'map' ? [...root.entries.keys()] : [''];
  const seedKeys = Object.keys(seedSchema.shape).filter((key) => key !== 'version');
  const isOfSeed = (key: string) => seedKeys.includes(key) || meantClause(key, seedKeys) !== '';
  if (keys.every((key) => key === 'version') || keys.some(isOfSeed)) return;
  throw new Failure('config-invalid', {
    message: 'This file is not a seed: it has none of the keys of a seed, such as projects and credentials.',
    where: { file },
    hint: 'A seed is a YAML file that says what the local platform starts with, such as `projects: [{ name: Orders, environments: [dev, test] }]`. Without --seed, it starts with an example project. docs/local-platform.md in the folder of Millrace, such as node_modules/millrace, describes all keys.',
  });
}

/** The field that an unknown one probably means. */
function meantOf({ path, ...issue }: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return '';
  const schema = z.toJSONSchema(seedSchema, { io: 'input', unrepresentable: 'any' });
  const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  return meantClause(issue.keys[0] ?? '', knownKeys(nodeAt(schema, steps)));
}

/** Tables are a list, or a map by their names. */
function tableNode(tables: YamlNode | undefined, index: number): YamlNode | undefined {
  if (tables?.kind === 'list') return tables.items[index];
  return tables?.kind === 'map' ? [...tables.entries.values()][index]?.value : undefined;
}

/** Reports an unknown key before a missing one: it is probably the misspelt key. */
function worstOf(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
}

/** Position of the unknown key, else of the value, else of the nearest parent in the file. */
function placeOf(source: YamlSource, issue: z.core.$ZodIssue) {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  // Faults may be a plain list, which the schema turns into the rules of a plan.
  if (path[1] === 'rules' && path[0] === 'faults' && source.rangeOf(['faults', 'rules']) === undefined)
    path.splice(1, 1);
  if (issue.code === 'unrecognized_keys') return source.keyRangeOf([...path, issue.keys[0] ?? '']);
  for (let length = path.length; length >= 0; length -= 1) {
    const range = source.rangeOf(path.slice(0, length));
    if (range !== undefined) return range;
  }
  return undefined;
}

type Complain = (message: string, path: readonly (string | number)[]) => Error;

/** Replaces every folder of the seed by its texts, so that the folders are no longer needed. */
function withFolders(seed: ReadySeed, base: string, complain: Complain): ReadySeed {
  const filled = <Item extends { readonly folder?: string | undefined }>(
    { folder, ...item }: Item,
    path: readonly (string | number)[],
  ) => {
    if (folder === undefined) return item;
    try {
      return { ...item, files: readFolder(base, folder) };
    } catch (error) {
      throw complain(messageOf(error), [...path, 'folder']);
    }
  };
  return {
    ...seed,
    projects: seed.projects.map((project, at) => ({
      ...project,
      artifacts: project.artifacts.map((artifact, index) =>
        filled(artifact, ['projects', at, 'artifacts', index]),
      ),
    })),
    shared: seed.shared.map((shared, at) => filled(shared, ['shared', at])),
  };
}
