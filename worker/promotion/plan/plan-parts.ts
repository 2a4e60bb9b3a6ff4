import type { FirstOf, ShortDifference, ShortTable } from '../../../flows/plan/digest/short-difference.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { PlanFacts, PlanLimits, PlannedCommit, PlannedCommits } from '../../records/promotion-plan.ts';

/** A list of a plan as people see it, in every place. */
export interface PlanPart {
  readonly title: string;
  /** The first of the list: one line each. */
  readonly items: readonly string[];
  /** How many more there are. */
  readonly more: number;
}

/** What a promotion changes in pipelines, tables and variables: each list that is not empty. */
export function planParts(
  { difference, changedSince: since, commits }: Pick<PlanLimits, 'difference' | 'changedSince' | 'commits'>,
  { live, to }: Pick<PlanFacts, 'live' | 'to'>,
): readonly PlanPart[] {
  return [
    ...(commits === undefined ? [] : commitParts(commits, { live, to })),
    ...(difference === undefined ? [] : differenceParts(difference)),
    ...(since === undefined
      ? []
      : [
          part(`Variables that changed in ${to} since ${since.version} was promoted`, {
            count: since.count,
            first: since.names,
          }),
        ]),
  ].filter(({ items }) => items.length > 0);
}

function commitParts(
  { added, removed, newest }: PlannedCommits,
  { live, to }: Pick<PlanFacts, 'live' | 'to'>,
): readonly PlanPart[] {
  const lost =
    removed === 0 ? [] : [`${numberOf(removed, 'commit')}; the page that compares the commits lists them`];
  return [
    part('Commits', { count: added, first: newest }, commitText),
    part(`Commits of ${live?.version ?? 'the live version'} that ${to} loses`, {
      count: lost.length,
      first: lost,
    }),
  ];
}

/** `6a7b8c9d0e1f Rename COUNTRY to LAND, by ada, #12 approved by grace`. */
function commitText({ commit, subject, author, pull, approvedBy = [] }: PlannedCommit): string {
  return [
    `${commit.slice(0, 12)} ${subject}`,
    `by ${author}`,
    ...(pull === undefined
      ? []
      : [`#${pull} approved by ${approvedBy.length === 0 ? 'nobody' : listText(approvedBy)}`]),
  ].join(', ');
}

/** `2 pipelines changed, 3 more affected; 1 change of tables and columns`. */
export function differenceText({ changed, affected, tables }: ShortDifference): string {
  return `${numberOf(changed.count, 'pipeline')} changed, ${affected.count} more affected; ${numberOf(tables.count, 'change')} of tables and columns`;
}

function differenceParts(difference: ShortDifference): readonly PlanPart[] {
  const { changed, affected, entryPoints, tables, unknownColumns, broken, connectors } = difference;
  const place = (file: string, line: number | undefined): string =>
    line === undefined ? file : `${file}:${line}`;
  return [
    part('Changed pipelines', changed, ({ pipeline, line, what }) => `${place(pipeline, line)}: ${what}`),
    part('Affected entry points', entryPoints),
    part('Affected pipelines', affected, ({ pipeline, because }) => `${pipeline}: ${because}`),
    part('Tables and columns', tables, tableText),
    part('What no longer works', broken),
    part('Changed tables whose columns are not all known', unknownColumns),
    part('Connectors that they read', connectors),
    part('Shared pipelines that they call', difference.shared),
    part('Shared pipelines of this project', difference.published),
  ];
}

function tableText({ name, what, writers, readers }: ShortTable): string {
  const places = ({ count, first }: FirstOf<string>): string =>
    `${first.join(', ')}${count > first.length ? ` and ${count - first.length} more` : ''}`;
  return [
    `${name}: ${what}`,
    ...(writers.count === 0 ? [] : [`written at ${places(writers)}`]),
    readers.count === 0 ? 'read by nothing' : `read at ${places(readers)}`,
  ].join(', ');
}

function part<Item>(
  title: string,
  { count, first }: FirstOf<Item>,
  textOf: (item: Item) => string = String,
): PlanPart {
  return { title, items: first.map(textOf), more: count - first.length };
}
