import type { FailedComponent, Mock, Warehouse } from '../../../engine/index.ts';
import { engineMocks } from '../run/engine-mocks.ts';
import type { KnownTables } from './column-types.ts';
import { mockRefused } from './mock-refused.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { repairParts } from './repair-parts.ts';
import { createGiven, type TestSetting } from '../run/run-test.ts';
import { collectProblems } from '../files/test-problem.ts';
import type { TestParts } from './test-parts.ts';

/** The tables and mocks of a first test, by name. */
export interface ChosenParts {
  readonly tables: readonly string[];
  readonly mocks: readonly string[];
}

export interface PlaceOfRepair {
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
  readonly known: KnownTables;
  /** Whether components that the engine refuses get a mock. */
  readonly mocksRefused: boolean;
  /** A test with these tables and mocks only. */
  readonly plan: (chosen: ChosenParts) => Promise<PlannedTest | undefined>;
}

/** Repairs the parts of a first test while its pipeline runs. */
export interface Repairs {
  /** Adds what a component lacked to the parts, and to the running warehouse: false if the component cannot run again. */
  repair(failure: FailedComponent, mocks: Map<string, Mock>): Promise<boolean>;
  /** Whether parts were added since the last call: then the run before it means nothing. */
  takeChange(): boolean;
  readonly isExhausted: boolean;
}

/** The maximum number of repairs. A pipeline that needs more tables, columns and mocks gets no first test. */
export const maxRepairs = 1000;

/**
 * Opens repairs after which a run continues at the point where it stopped. Starting again for each missing part
 * would take a time that grows with the square of the number of parts.
 */
export function openRepairs(parts: TestParts, place: PlaceOfRepair): Repairs {
  const { setting, mocksRefused } = place;
  let count = 0;
  let isChanged = false;
  return {
    async repair(failure, mocks) {
      if (count >= maxRepairs) return false;
      const before = shapeOf(parts);
      const isRepaired =
        (await repairParts(parts, failure, { ...setting, known: place.known })) ||
        (mocksRefused && failure.refusal !== undefined && mockRefused(parts, failure, setting.project));
      if (!isRepaired) return false;
      count += 1;
      isChanged = true;
      return apply(changedSince(before, parts), place, mocks);
    },
    takeChange() {
      const was = isChanged;
      isChanged = false;
      return was;
    },
    get isExhausted() {
      return count >= maxRepairs;
    },
  };
}

type Shape = Readonly<Record<keyof ChosenParts, ReadonlyMap<string, string>>>;

function shapeOf({ tables, mocks }: TestParts): Shape {
  return {
    tables: new Map(Array.from(tables, ([name, columns]) => [name, JSON.stringify(columns)])),
    mocks: new Map(Array.from(mocks, ([name, lines]) => [name, lines()])),
  };
}

function changedSince(before: Shape, parts: TestParts): ChosenParts {
  const now = shapeOf(parts);
  const changed = (key: keyof ChosenParts) =>
    [...now[key]].flatMap(([name, text]) => (before[key].get(name) === text ? [] : [name]));
  return { tables: changed('tables'), mocks: changed('mocks') };
}

/** Creates changed tables and mocks. False if only the start of a run can set what has changed, such as a variable. */
async function apply(
  chosen: ChosenParts,
  { warehouse, setting, plan }: PlaceOfRepair,
  mocks: Map<string, Mock>,
): Promise<boolean> {
  if (chosen.tables.length + chosen.mocks.length === 0) return false;
  // What is wrong with a part shows in the next run.
  const isApplied = await collectProblems([], async () => {
    const planned = await plan(chosen);
    if (planned === undefined) return false;
    await createGiven(planned, warehouse, setting);
    const sources = { schemas: planned.file.schemas, declared: setting.declared };
    for (const [name, mock] of engineMocks(planned, sources, setting.project)) mocks.set(name, mock);
    return true;
  });
  return isApplied === true;
}
