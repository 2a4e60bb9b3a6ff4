import type { ConnectorRows } from '../../engine/index.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';

/**
 * The rows of the seed's connectors (spec §2.6). A component names a connector by its id, its alternate id or its name, or as
 * the file of the connector is named: `custom-<id>`, `flex-<id>`.
 */
export function connectorRows({ custom, flex, rows }: ReadySeed['connectors']): ConnectorRows {
  const byName = new Map<string, ReadySeed['connectors']['rows'][string]>();
  const all = [
    ...custom.map((connector) => ({ kind: 'custom', connector })),
    ...flex.map((connector) => ({ kind: 'flex', connector })),
  ];
  for (const { kind, connector } of all) {
    const { id, alternateId, name } = connector;
    const ids = [id, alternateId].flatMap((each) => (each === undefined ? [] : [String(each)]));
    const loaded = ids.map((each) => rows[each]).find((each) => each !== undefined);
    if (loaded === undefined) continue;
    for (const each of ids) byName.set(each, loaded).set(`${kind}-${each}`, loaded);
    if (typeof name === 'string') byName.set(name, loaded);
  }
  return (connector, endpoint) => {
    const loaded = byName.get(connector);
    if (loaded === undefined || Array.isArray(loaded)) return loaded;
    return new Map(Object.entries(loaded)).get(endpoint);
  };
}
