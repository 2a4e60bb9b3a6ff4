import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Report, ReportTable } from '../../lib/report/report.ts';
import type { DriftReport } from './drift.ts';
import { describeEnvironment, driftOfVersion } from './drift-lines.ts';

/**
 * The report about drift, the same for command and action.
 * @param tag the glob of release tags
 */
export function reportOfDrift(report: DriftReport, tag: string): Report {
  const { outcome, newest, environments } = report;
  return {
    title: 'Drift',
    outcome,
    headline: headlineOf(driftCounts(report), environments.length),
    facts: [['newest release', newest ?? 'none']],
    findings: [],
    tables: tablesOf(report),
    notes:
      newest === undefined
        ? [`No tag matches release.tag, which is "${tag}", so every version is unknown.`]
        : [],
  };
}

/** The numbers of enabled versions without their tag, of environments that are behind, and of disabled versions. */
export function driftCounts({ environments }: DriftReport) {
  const versions = environments.flatMap((environment) => environment.versions);
  return {
    unknown: versions.filter(({ enabled, tagged }) => enabled && tagged !== 'yes').length,
    behind: environments.filter(({ behind }) => behind !== undefined && behind > 0).length,
    disabled: versions.filter(({ enabled }) => !enabled).length,
  };
}

function headlineOf({ unknown, behind }: ReturnType<typeof driftCounts>, environments: number): string {
  const compared = `${numberOf(environments, 'environment')} compared`;
  return unknown + behind === 0
    ? `${compared}: all match the tags.`
    : `${compared}: ${numberOf(unknown, 'unknown version is', 'unknown versions are')} enabled, ${numberOf(behind, 'environment is', 'environments are')} behind.`;
}

function tablesOf({ environments }: DriftReport): ReportTable[] {
  return [
    {
      title: 'Environments',
      columns: ['environment', 'live', 'status'],
      rows: environments.map((environment) => [
        environment.environment,
        environment.live ?? '',
        describeEnvironment(environment),
      ]),
    },
    {
      title: 'Versions that differ',
      columns: ['environment', 'version', 'difference', 'commit'],
      rows: environments.flatMap(({ environment, versions }) =>
        versions.flatMap((version) => {
          const words = driftOfVersion(version);
          return words === '' ? [] : [[environment, version.version, words, version.commit ?? '']];
        }),
      ),
    },
  ];
}
