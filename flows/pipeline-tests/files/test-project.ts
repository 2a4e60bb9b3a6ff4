import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  type EnvironmentDefaults,
  problemAt,
  type FindFixtureFile,
  type WarehouseKind,
} from '../../../engine/index.ts';
import { isTextName } from '../../../lib/core/files/decode-text.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import type { FileSelection } from '../../../lib/git/select-files.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import {
  type OwnSharedPipelines,
  ownSharedPipelines,
  readSharedPipelines,
  sharedPipelinesPath,
} from '../../../lib/pipelines/model/shared-pipelines.ts';
import type { CallFolder, CallRoots } from '../../../lib/pipelines/model/call-root.ts';
import { hiddenFiles } from './hidden-files.ts';
import { listFiles, type Unread } from './list-files.ts';
import { projectRoots } from './project-roots.ts';
import { projectTexts } from './project-texts.ts';
import { noOutsideFiles, type OutsideFiles } from '../outside/outside-files.ts';

/** The files of a project on disk; paths are relative to it, with forward slashes. */
export interface TestProject {
  readonly directory: string;
  readonly kind: WarehouseKind;
  /** The database and schema that `[Environment Default]` means. */
  readonly defaults: EnvironmentDefaults;
  readonly paths: readonly string[];
  /** Folders that were searched for files, `''` for the project's own, and the folders of other projects. */
  readonly folders: readonly string[];
  /** Folders with a millrace.yaml of their own: other projects, whose files are not in `paths`. */
  readonly otherProjects: readonly string[];
  /** What is not in `paths` because it is not a plain file with a name in UTF-8, by its path. */
  readonly unread: ReadonlyMap<string, Unread>;
  has(path: string): boolean;
  /** A file's text; undefined if the project does not have the file. Throws FileProblems for one that is too large or not text. */
  text(path: string): string | undefined;
  /** A file's size in bytes; undefined if the project does not have the file. */
  size(path: string): number | undefined;
  /** A file's bytes, as one object for each file; undefined if the project does not have the file. */
  bytes(path: string): Uint8Array | undefined;
  /** A parsed pipeline; undefined if the project does not have the file. */
  pipeline(path: string): PipelineDocument | undefined;
  /** All pipelines whose names are UTF-8: no call can name any other. */
  readonly pipelines: readonly string[];
  /** Whether a file of the project that can be read uses a variable. */
  uses(file: string, variable: string): boolean;
  /** Whether a pipeline or a test file is left out because a name in its path begins with a dot. */
  isHidden(path: string): boolean;
  /** Whether a pipeline of the project uses a variable of this name. A variable of the project need not be declared. */
  mentions(variable: string): boolean;
  /** Reads files beside one of the project's. */
  beside(file: string): FindFixtureFile;
  /** The files that say what is outside of the project. */
  readonly outside: OutsideFiles;
  readonly sharedSource: SharedSource | undefined;
  /** The shared pipelines of the project, which its pipelines may call too; undefined without a prefix. */
  readonly shared: OwnSharedPipelines | undefined;
  /** How another process opens the same project; undefined for one that is not the folder as it is on disk. */
  readonly recipe?: ProjectRecipe | undefined;
  /** From which folder calls resolve. */
  readonly roots: CallRoots;
}

/** The file in which a project declares its shared pipelines, and their prefix. */
export interface SharedSource {
  readonly prefix: string;
  /** The shared-pipelines file, relative to the project. */
  readonly file: string;
}

/** Where the settings say that shared pipelines are declared; undefined if `millrace.yaml` names no prefix. */
export function sharedSourceOf({ release, configDir }: ProjectConfig): SharedSource | undefined {
  const prefix = release.shared?.prefix;
  return prefix === undefined ? undefined : { prefix, file: sharedPipelinesPath(configDir) };
}

/** Reads the shared pipelines that a project declares. Parses each text of the file once. */
export function sharedReader(
  source: SharedSource | undefined,
  text: TestProject['text'],
): () => OwnSharedPipelines | undefined {
  let last: { readonly text: string; readonly own: OwnSharedPipelines } | undefined;
  return () => {
    if (source === undefined) return undefined;
    const sharedText = text(source.file) ?? 'pipelines: []\n';
    if (last?.text !== sharedText)
      last = {
        text: sharedText,
        own: ownSharedPipelines(source.prefix, readSharedPipelines(source.file, sharedText)),
      };
    return last.own;
  };
}

/** In bytes. Files of tests are small; a larger file could use up the memory. */
const maxBytes = 64 * 1024 * 1024;

function refuseLarge(location: string, file: string): void {
  if (statSync(location).size > maxBytes)
    throw problemAt(
      { file, line: 1, column: 1 },
      `the file ${file} is larger than 64 MiB, the limit for a file of a test`,
    );
}

/** The settings of `millrace.yaml` about the files of a project. */
export interface TestProjectOptions {
  readonly files: FileSelection;
  readonly sharedSource: SharedSource | undefined;
  readonly outside?: OutsideFiles;
  /** The folder that calls are relative to. */
  readonly callFolder?: CallFolder | undefined;
  /** Folders that are other projects though their `millrace.yaml` is not on disk. */
  readonly otherProjects?: readonly string[];
  /** Pipelines that were read before, by path: one whose text is the same is not read again. New ones are added. */
  readonly parsed?: Map<string, PipelineDocument> | undefined;
}

/** How a project was opened, so that another process can open the same project. */
export interface ProjectRecipe {
  readonly directory: string;
  readonly kind: WarehouseKind;
  readonly options: Omit<TestProjectOptions, 'parsed'>;
  /** Files with other contents than on disk, such as those that a sparse check-out leaves out; later ones replace earlier ones. */
  readonly contents: readonly ReadonlyMap<string, Uint8Array | undefined>[];
}

export function projectOptions(config: ProjectConfig): TestProjectOptions {
  const { files, outside, callFolder } = config;
  return { files, sharedSource: sharedSourceOf(config), outside, callFolder };
}

/** Opens the project in a folder. Symbolic links are not followed, because they may lead out of the project. */
export function openTestProject(
  directory: string,
  kind: WarehouseKind,
  {
    files,
    sharedSource,
    outside = noOutsideFiles,
    callFolder,
    otherProjects: listedProjects = [],
    parsed,
  }: TestProjectOptions = {
    files: { include: [] },
    sharedSource: undefined,
  },
): TestProject {
  const folders: string[] = [];
  const otherProjects: string[] = [];
  const unread = new Map<string, Unread>();
  const paths = listFiles(directory, '', {
    folders,
    otherProjects,
    unread,
    others: new Set(listedProjects),
  }).toSorted();
  const names = new Set(paths);
  const contents = new Map<string, Uint8Array>();

  const has = (file: string) => names.has(file);
  const size = (file: string) => (has(file) ? statSync(path.join(directory, file)).size : undefined);
  const read = (file: string): Uint8Array | undefined => {
    if (!has(file)) return undefined;
    refuseLarge(path.join(directory, file), file);
    return readFileSync(path.join(directory, file));
  };
  const bytes = (file: string): Uint8Array | undefined => {
    const content = contents.get(file) ?? read(file);
    if (content !== undefined) contents.set(file, content);
    return content;
  };
  const pipelines = paths.filter((file) => kindOf(file) !== undefined && isTextName(file));
  const { text, pipeline, uses } = projectTexts({ read, size, parsed });
  const readShared = sharedReader(sharedSource, text);
  return {
    directory,
    recipe: {
      directory,
      kind,
      options: { files, sharedSource, outside, otherProjects: listedProjects },
      contents: [],
    },
    ...warehouseSettings(kind),
    outside,
    sharedSource,
    roots: projectRoots({ pipelines, text }, callFolder),
    get shared() {
      return readShared();
    },
    paths,
    folders,
    otherProjects,
    unread,
    pipelines,
    isHidden: hiddenFiles(pipelines, files),
    mentions: (variable) => pipelines.some((file) => uses(file, variable)),
    has,
    size,
    text,
    bytes,
    uses,
    pipeline,
    beside: filesBeside({ has, size, text, bytes }),
  };
}

/** The kind of warehouse, and the meaning of `[Environment Default]` for it. */
export function warehouseSettings(kind: WarehouseKind): Pick<TestProject, 'kind' | 'defaults'> {
  const isSecond = kind === 'WAREHOUSE_TWO';
  const defaults = isSecond ? { database: 'test', schema: 'public' } : { database: 'TEST', schema: 'PUBLIC' };
  return { kind, defaults };
}

/** Reads files whose names are relative to another file. */
export function filesBeside(
  project: Pick<TestProject, 'has' | 'size' | 'text' | 'bytes'>,
): TestProject['beside'] {
  return (file) => (name) => {
    const target = path.posix.join(path.posix.dirname(file), name);
    if (!project.has(target)) return undefined;
    return {
      file: target,
      size: () => project.size(target) ?? 0,
      text: () => project.text(target) ?? '',
      bytes: () => project.bytes(target) ?? Buffer.of(),
    };
  };
}
