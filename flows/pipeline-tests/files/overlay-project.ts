import { isTextName } from '../../../lib/core/files/decode-text.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { FileSelection } from '../../../lib/git/select-files.ts';
import { hiddenFiles } from './hidden-files.ts';
import type { CallFolder } from '../../../lib/pipelines/model/call-root.ts';
import { projectRoots } from './project-roots.ts';
import { projectTexts } from './project-texts.ts';
import { filesBeside, sharedReader, type TestProject } from './test-project.ts';

/** The files that differ from a project on disk. */
export interface Overlay {
  /** By path in the project: the content of a file, or undefined for one that does not exist. */
  readonly contents: ReadonlyMap<string, Uint8Array | undefined>;
  /** Another kind of warehouse, another choice of files, other shared pipelines, and other files about what is outside. */
  readonly settings?:
    | (Pick<TestProject, 'kind' | 'defaults' | 'sharedSource' | 'outside'> & {
        readonly files?: FileSelection;
        readonly callFolder?: CallFolder | undefined;
      })
    | undefined;
}

/** A project in which some files have other content, or exist only in the overlay. */
export function overlayProject(saved: TestProject, { contents, settings: all }: Overlay): TestProject {
  const { files: selection, callFolder, ...settings } = all ?? { callFolder: saved.roots.set };
  const bytes = (file: string) => (contents.has(file) ? contents.get(file) : saved.bytes(file));
  const has = (file: string) => (contents.has(file) ? contents.get(file) !== undefined : saved.has(file));
  const size = (file: string) => (contents.has(file) ? contents.get(file)?.byteLength : saved.size(file));
  // The same lists if no file was added or removed, so that it is easy to see that they are.
  const isSameList = [...contents.keys()].every((file) => has(file) && saved.has(file));
  const paths = isSameList
    ? saved.paths
    : [...new Set([...saved.paths, ...contents.keys()])].filter(has).toSorted();
  const pipelines = isSameList
    ? saved.pipelines
    : paths.filter((file) => kindOf(file) !== undefined && isTextName(file));
  const other = projectTexts({ read: (file) => contents.get(file), size });
  const text = (file: string) => (contents.has(file) ? other.text(file) : saved.text(file));
  const uses = (file: string, variable: string) =>
    contents.has(file) ? other.uses(file, variable) : saved.uses(file, variable);
  const readShared = sharedReader((all ?? saved).sharedSource, text);
  const { recipe } = saved;
  return {
    ...saved,
    ...settings,
    recipe:
      recipe === undefined || all !== undefined
        ? undefined
        : { ...recipe, contents: [...recipe.contents, contents] },
    roots: projectRoots({ pipelines, text }, callFolder),
    get shared() {
      return readShared();
    },
    paths,
    pipelines,
    ...(selection !== undefined && { isHidden: hiddenFiles(pipelines, selection) }),
    has,
    size,
    text,
    bytes,
    uses,
    mentions: (variable) => pipelines.some((file) => uses(file, variable)),
    pipeline: (file) => (contents.has(file) ? other.pipeline(file) : saved.pipeline(file)),
    beside: filesBeside({ has, size, text, bytes }),
  };
}
