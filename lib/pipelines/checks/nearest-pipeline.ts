import { compareTexts } from '../../core/text/compare-texts.ts';
import { closestWord, maxComparedLength } from '../../core/text/closest-word.ts';
import { kindOf, type PipelineKind, withoutSuffix } from '../model/pipeline-kind.ts';

export interface MisspelledCall {
  /** As written, with or without suffix. */
  readonly target: string;
  readonly kind: PipelineKind;
  /** The calling pipeline, relative to the project. */
  readonly caller: string;
}

/**
 * The pipeline that a call probably intends: one of the right kind with the same name, otherwise with a similar name;
 * of several, the one whose folder is nearest, first to the folder in the call, then to the caller's folder. Undefined if
 * none is near.
 */
export function nearestPipeline(
  { target, kind, caller }: MisspelledCall,
  paths: Iterable<string>,
): string | undefined {
  if (target.length > maxComparedLength * 10) return undefined;
  const targetStem = withoutSuffix(target.replace(/^(?:\.?\/)+/, '').replace(/\.(?:ya?ml|json)$/i, ''));
  const folders = { called: folderOf(targetStem), caller: folderOf(caller) };
  const candidates = Array.from(paths)
    .filter((path) => kindOf(path) === kind)
    .map((path) => ({ path, stem: withoutSuffix(path) }))
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate.stem, targetStem, folders) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || compareTexts(a.path, b.path));
  const sameName = candidates.filter(({ stem }) => nameOf(stem) === nameOf(targetStem));
  const near = (words: readonly string[], word: string) => {
    const meant = closestWord(word, words);
    return meant === undefined ? -1 : words.indexOf(meant);
  };
  if (sameName.length > 0) {
    // A misspelled folder has precedence over a folder that is only near.
    const beside = sameName.filter(({ stem }) => depthOf(stem) === depthOf(targetStem));
    const typo =
      beside[
        near(
          beside.map(({ stem }) => stem),
          targetStem,
        )
      ];
    return (typo ?? sameName[0])?.path;
  }
  const whole =
    candidates[
      near(
        candidates.map(({ stem }) => stem),
        targetStem,
      )
    ];
  return (
    whole ??
    candidates[
      near(
        candidates.map(({ stem }) => nameOf(stem)),
        nameOf(targetStem),
      )
    ]
  )?.path;
}

type Rank = readonly number[];

/** A smaller rank is nearer: first by equal parts at the end of the path, then by steps between the folders. */
function rankOf(
  stem: string,
  targetStem: string,
  folders: { readonly called: string; readonly caller: string },
): Rank {
  const folder = folderOf(stem);
  return [
    -sameEnd(stem, targetStem),
    folders.called === '' ? 0 : stepsBetween(folder, folders.called),
    stepsBetween(folder, folders.caller),
  ];
}

function compareRanks(a: Rank, b: Rank): number {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing < 0 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

/** Number of equal parts at the end of two paths. */
function sameEnd(a: string, b: string): number {
  const [left, right] = [partsOf(a).toReversed(), partsOf(b).toReversed()];
  const differing = left.findIndex((part, index) => part !== right[index]);
  return differing < 0 ? left.length : differing;
}

/** Number of steps up and down from one folder to another. */
function stepsBetween(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const differing = left.findIndex((part, index) => part !== right[index]);
  const same = differing < 0 ? left.length : differing;
  return left.length + right.length - 2 * same;
}

function partsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('/');
}

function depthOf(path: string): number {
  return partsOf(path).length;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
