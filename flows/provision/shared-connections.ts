import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import type { ProvisionFile } from '../../lib/config/project/provision-schema.ts';
import { describePlace } from '../../lib/core/errors/failure.ts';

/**
 * Warns about environments that share a connection, or its details: each environment needs its own, because a change
 * in one changes the others (spec §2.3).
 */
export function sharedConnections({ value, keyPlaceOf }: ReadConfig<ProvisionFile>): string[] {
  const used = Object.entries(value.environments).flatMap(([environment, { connections }]) =>
    Object.entries(connections).map(([connection, details]) => ({
      environment,
      connection,
      details: JSON.stringify(Object.entries(details).toSorted(([a], [b]) => compareTexts(a, b))),
      place: describePlace(keyPlaceOf(['environments', environment, 'connections', connection])),
    })),
  );
  const warn = (
    by: 'connection' | 'details',
    sentence: (environments: string, connection: string) => string,
  ) =>
    [...Map.groupBy(used, (use) => use[by]).values()].flatMap((group) => {
      const environments = [...new Set(group.map(({ environment }) => environment))];
      const second = group.find(({ environment }) => environment === environments[1]);
      if (second === undefined) return [];
      return [`${second.place}: ${sentence(environments.join(' and '), second.connection)}`];
    });
  const names = new Set(used.map(({ connection }) => connection));
  return [
    ...warn(
      'connection',
      (environments, connection) =>
        `${environments} share the connection ${connection}: changing its details in one changes them in the others. Give each its own (spec §2.3).`,
    ),
    // With one connection, the first warning already covers this.
    ...(names.size < 2
      ? []
      : warn(
          'details',
          (environments) => `${environments} have the same connection details, so they use one warehouse.`,
        )),
  ];
}
