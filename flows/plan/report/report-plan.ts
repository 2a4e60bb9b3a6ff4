import { changeColumns, columnRow, shortList } from '../../data-graph/affected/report-affected.ts';
import { shownValue } from '../../variables/shown-value.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Report, ReportTable } from '../../../lib/report/report.ts';
import type { CommitList } from '../changes/compare-commits.ts';
import type { PlannedGate } from '../gates.ts';
import { type Plan, planOutcome } from '../plan.ts';
import type { PlannedValue, PlannedVariable } from '../variables/planned-variables.ts';
import type { PlannedVersion } from '../versions/compare-versions.ts';

/** The report about a plan, the same for command, action and worker. */
export function reportOfPlan(plan: Plan): Report {
  const { from, to, message, hint, live, wanted, wayBack, unknown } = plan;
  return {
    title: 'Plan',
    outcome: planOutcome(plan),
    headline: message,
    facts: [
      [`live in ${to}`, live === undefined ? 'none' : versionText(live)],
      ['wanted', wanted === undefined ? `not in ${from}` : versionText(wanted)],
      ...(wanted === undefined
        ? []
        : [['after a roll-back', wayBack ?? 'no version to go back to'] as const]),
      ...(plan.commits?.link === undefined ? [] : [['compare', plan.commits.link] as const]),
      ...(plan.gates ?? []).flatMap(({ lane, promotion }) =>
        promotion?.plan === undefined ? [] : [[`plan of the worker for ${lane}`, promotion.plan.id] as const],
      ),
    ],
    findings: [],
    tables: [
      ...commitTables(plan),
      ...pipelineTables(plan),
      ...tableTables(plan),
      sharedTable(plan),
      publishedTable(plan),
      ...variableTables(plan),
      gateTable(plan),
    ],
    notes: [...countNotes(plan), ...workerNotes(plan), ...unknown, ...(hint === undefined ? [] : [hint])],
  };
}

function versionText({ version, commit, publishedAt }: PlannedVersion): string {
  const built = commit === undefined ? 'commit not known' : commit.slice(0, 12);
  return `${version} (${built}, published ${publishedAt.slice(0, 10)})`;
}

function commitTables({ commits, live, to }: Plan): readonly ReportTable[] {
  if (commits === undefined) return [];
  const table = (title: string, { newest, count }: CommitList): ReportTable => ({
    title: count > newest.length ? `${title} (the newest ${newest.length} of ${count})` : title,
    columns: ['commit', 'author', 'subject'],
    rows: newest.map(({ commit, author, subject }) => [commit.slice(0, 12), author, subject]),
  });
  return [
    table('Commits', commits.added),
    table(`Commits of ${live?.version} that ${to} loses`, commits.removed),
  ];
}

function pipelineTables({ pipelines }: Plan): readonly ReportTable[] {
  if (pipelines === undefined) return [];
  const { changed, affected, entryPoints } = pipelines;
  const place = (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`);
  return [
    {
      title: 'Changed pipelines',
      columns: ['pipeline', 'what'],
      rows: changed.map(({ pipeline, line, what }) => [place(pipeline, line), what]),
    },
    {
      title: 'Affected pipelines',
      columns: ['pipeline', 'because'],
      rows: affected.map(({ pipeline, line, because }) => [place(pipeline, line), because.join('; ')]),
    },
    {
      title: 'Affected entry points',
      columns: ['pipeline'],
      rows: entryPoints.map((pipeline) => [pipeline]),
    },
  ];
}

function tableTables({ tables }: Plan): readonly ReportTable[] {
  if (tables === undefined) return [];
  return [
    {
      title: 'Tables and columns',
      columns: changeColumns,
      rows: tables.changes.map((change) => columnRow(change, '')),
    },
    {
      title: 'What no longer works',
      columns: ['where', 'why'],
      rows: tables.broken.map(({ file, line, message }) => [`${file}:${line}`, message]),
    },
    {
      title: 'Changed tables whose columns are not all known',
      columns: ['table', 'written at'],
      rows: tables.unknownColumns.map(({ table, writers }) => [
        table.table,
        shortList(writers.map(({ file, line }) => `${file}:${line}`)),
      ]),
    },
  ];
}

function sharedTable({ shared = [] }: Plan): ReportTable {
  const versions = (list: readonly string[], latest: string | undefined) =>
    list
      .map((version) =>
        version === '[Latest]' && latest !== undefined ? `${version}, now ${latest}` : version,
      )
      .join('; ') || 'not called';
  return {
    title: 'Shared pipelines',
    columns: ['pipeline', 'live version calls', 'wanted version calls'],
    rows: shared.map(({ pipeline, before, after, latest }) => [
      pipeline,
      versions(before, undefined),
      versions(after, latest),
    ]),
  };
}

const publishedTexts = {
  added: 'a new shared pipeline',
  removed: 'no longer shared: calls of it fail',
  changed: 'another pipeline',
  affected: 'the same pipeline, and something else that it uses',
};

function publishedTable({ published }: Plan): ReportTable {
  return {
    title: 'Shared pipelines of this project',
    columns: ['pipeline', 'consumers get'],
    rows: (published?.changes ?? []).map(({ pipeline, change }) => [pipeline, publishedTexts[change]]),
  };
}

function variableTables({ from, to, variables }: Plan): readonly ReportTable[] {
  if (variables === undefined) return [];
  return [
    {
      title: 'Variables that differ',
      columns: ['variable', `in ${from}`, `in ${to}`],
      rows: variables.differences.map((difference) => [difference.variable, ...valueTexts(difference)]),
    },
  ];
}

const sources = { own: 'own value', default: 'default value', none: 'no value' };

function valueTexts({ from, to }: PlannedVariable): readonly [string, string] {
  const text = ({ source, value }: PlannedValue) =>
    value === undefined ? sources[source] : `${shownValue(value)} (${sources[source]})`;
  const areHidden = from.value === undefined && to.value === undefined;
  const isOtherValue = areHidden && from.source === 'own' && to.source === 'own';
  return [text(from), isOtherValue ? 'another own value' : text(to)];
}

function gateTable({ gates = [] }: Plan): ReportTable {
  return {
    title: 'Gates',
    columns: ['lane', 'what it wants'],
    rows: gates.map((gate) => [gate.lane, gateText(gate)]),
  };
}

function gateText({ holds, promotion }: PlannedGate): string {
  const { waitsFor, approvals, plan } = promotion ?? {};
  const parts = [
    ...holds,
    ...(promotion === undefined ? ['no promotion of this version has begun'] : [`promotion ${promotion.id}`]),
    ...(waitsFor === undefined ? [] : [`waits at the gate ${waitsFor}`]),
    ...(approvals === undefined ? [] : [`${approvals.given.length} of ${approvals.needed} approvals`]),
    ...(plan === undefined
      ? []
      : [plan.differs.length === 0 ? 'its plan says the same' : 'its plan differs']),
  ];
  return parts.join('; ');
}

/** What the plans of a worker say otherwise. */
function workerNotes({ gates = [] }: Plan): readonly string[] {
  return gates.flatMap(({ lane, promotion }) => {
    const { differs } = promotion?.plan ?? { differs: [] };
    return differs.length === 0
      ? []
      : [`The plan of the worker for ${lane} differs from this one: ${differs.join('; ')}.`];
  });
}

const scopes = {
  affected: 'that changed and affected pipelines use',
  used: 'that pipelines use',
  all: 'of the project',
};

const noVariables = {
  affected: 'Changed and affected pipelines use no variable of the project.',
  used: 'The pipelines use no variable of the project.',
  all: 'The project has no variables.',
};

function countNotes({ from, to, commits, pipelines, tables, published, variables }: Plan): readonly string[] {
  return [
    ...(commits === undefined ? [] : [commitNote(commits)]),
    ...(pipelines === undefined || tables === undefined
      ? []
      : [
          `${numberOf(pipelines.changed.length, 'pipeline')} changed, ${pipelines.affected.length} more affected; ${numberOf(tables.changes.length, 'change')} of tables and columns.`,
        ]),
    ...(published === undefined ? [] : [publishedNote(published)]),
    ...(variables === undefined ? [] : [variableNote(variables, { from, to })]),
  ];
}

function publishedNote({ prefix, latest }: NonNullable<Plan['published']>): string {
  const now = latest === undefined ? '' : `, and get ${latest} now`;
  return `Consumers of ${prefix} get the shared pipelines of this project with \`millrace publish-shared\`, not with this promotion${now}.`;
}

function variableNote(
  { scope, read, differences }: NonNullable<Plan['variables']>,
  { from, to }: Pick<Plan, 'from' | 'to'>,
): string {
  if (read === 0) return noVariables[scope];
  const verb = differences.length === 1 ? 'differs' : 'differ';
  return `${differences.length} of ${numberOf(read, 'variable')} ${scopes[scope]} ${verb} between ${from} and ${to}.`;
}

function commitNote({ relation, added, removed }: NonNullable<Plan['commits']>): string {
  switch (relation) {
    case 'identical':
      return 'Both versions are of the same commit.';
    case 'ahead':
      return `${numberOf(added.count, 'commit')} more than the live version.`;
    case 'behind':
      return `${numberOf(removed.count, 'commit')} fewer than the live version: the promotion replaces it with an older version.`;
    case 'diverged':
    case 'unrelated':
      return `${numberOf(added.count, 'commit')} more than the live version, and ${removed.count} of its commits are missing${relation === 'unrelated' ? ': the histories have no commit in common' : ''}.`;
  }
}
