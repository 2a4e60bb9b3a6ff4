import { compareTexts } from '../../core/text/compare-texts.ts';
import {
  closestWords,
  type ComparisonBudget,
  comparisonBudget,
  maxComparedLength,
} from '../../core/text/closest-word.ts';
import { type WordIndex, wordIndex } from '../../core/text/word-index.ts';
import { kindOf, type PipelineKind, suffixOf, withoutSuffix } from '../model/pipeline-kind.ts';

export interface MisspelledCall {
  /** As written, with or without suffix. */
  readonly target: string;
  readonly kind: PipelineKind;
  /** The calling pipeline, relative to the project. */
  readonly caller: string;
}

/** Finds for a call the pipeline that was probably meant; undefined if none is close. */
export type FindNearest = (call: MisspelledCall) => string | undefined;

/**
 * For many calls of a project, finds the pipeline of the right kind with the same name, else with a similar name;
 * if there are several, the one in the nearest folder, first to the folder in the call, then to the caller's
 * folder. All calls share one budget, so with very many wrong names the last calls get no answer.
 */
export function nearestPipelines(paths: Iterable<string>): FindNearest {
  const budget = comparisonBudget();
  const opened = new Map<PipelineKind, Candidates>();
  return ({ target, kind, caller }) => {
    if (target.length > maxComparedLength * 10) return undefined;
    const candidates = opened.get(kind) ?? openCandidates(paths, kind, budget);
    opened.set(kind, candidates);
    const targetStem = withoutSuffix(target.replace(/^(?:\.?\/)+/, '').replace(/\.(?:ya?ml|json)$/i, ''));
    const place = { stem: targetStem, called: folderOf(targetStem), caller: folderOf(caller) };
    const sameName = candidates.byName.get(nameOf(targetStem)) ?? [];
    budget.left -= sameName.length * rankCost;
    if (budget.left <= 0) return undefined;
    const stem =
      sameName.length > 0
        ? (misspelledFolder(sameName, place, budget) ?? nearestOf(sameName, place))
        : (nearestOf(candidates.stems.closest(targetStem), place) ??
          nearestOf(
            candidates.names.closest(nameOf(targetStem)).flatMap((name) => candidates.byName.get(name) ?? []),
            place,
          ));
    return stem === undefined ? undefined : stem + suffixOf(kind);
  };
}

/** `nearestPipelines` for a single call. */
export function nearestPipeline(call: MisspelledCall, paths: Iterable<string>): string | undefined {
  return nearestPipelines(paths)(call);
}

/** The cost of a rank, in pairs of characters. */
const rankCost = 20;

/** The pipelines of one kind: their paths without suffix. */
interface Candidates {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly stems: WordIndex;
  readonly names: WordIndex;
}

function openCandidates(paths: Iterable<string>, kind: PipelineKind, budget: ComparisonBudget): Candidates {
  const stems = [
    ...new Set(
      Array.from(paths)
        .filter((path) => kindOf(path) === kind)
        .map(withoutSuffix),
    ),
  ];
  const byName = Map.groupBy(stems, nameOf);
  return { byName, stems: wordIndex(stems, budget), names: wordIndex(byName.keys(), budget) };
}

/** What a call names: a path without suffix and its folder, and the folder of its caller. */
interface CalledPlace {
  readonly stem: string;
  readonly called: string;
  readonly caller: string;
}

/** Of pipelines with the right name, the one whose folder is misspelled: it has precedence over one that is only near. */
function misspelledFolder(
  sameName: readonly string[],
  place: CalledPlace,
  budget: ComparisonBudget,
): string | undefined {
  const beside = sameName.filter((stem) => depthOf(stem) === depthOf(place.stem));
  return nearestOf(closestWords(place.stem, beside, budget), place);
}

function nearestOf(stems: readonly string[], place: CalledPlace): string | undefined {
  return stems
    .map((stem) => ({ stem, rank: rankOf(stem, place) }))
    .reduce<{ readonly stem: string; readonly rank: Rank } | undefined>(
      (best, next) =>
        best !== undefined && (compareRanks(best.rank, next.rank) || compareTexts(best.stem, next.stem)) <= 0
          ? best
          : next,
      undefined,
    )?.stem;
}

type Rank = readonly number[];

/** A smaller rank is nearer: first by equal parts at the end of the path, then by steps between the folders. */
function rankOf(stem: string, place: CalledPlace): Rank {
  const folder = folderOf(stem);
  return [
    -sameEnd(stem, place.stem),
    place.called === '' ? 0 : stepsBetween(folder, place.called),
    stepsBetween(folder, place.caller),
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
