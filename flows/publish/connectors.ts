import { createHash } from 'node:crypto';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import type { ManifestEntry } from '../project/project-files.ts';

/** A connector object as a file of the artifact (spec §2.6). */
export interface ConnectorFile extends ManifestEntry {
  readonly content: Buffer;
}

/**
 * Fetches the account's connectors as `connector-profile:custom-<id>.json` and `connector-profile:flex-<id>.json`.
 * They are fetched when publishing because they must not be committed (spec §2.6). If a list cannot be read,
 * publishing fails (unknowns §3).
 */
export async function fetchConnectors({ client, signal }: PlatformContext): Promise<ConnectorFile[]> {
  const custom = await client.connectors.listCustom({}, { signal });
  const flex = await client.connectors.listFlex({}, { signal });
  return [
    ...custom.map((connector) => fileOf('custom', connector.id, connector)),
    // Unknowns §3: the alternate id of a flex connector takes precedence.
    ...flex.map((connector) => fileOf('flex', connector.alternateId ?? connector.id, connector)),
  ];
}

function fileOf(kind: 'custom' | 'flex', id: string | number | undefined, connector: object): ConnectorFile {
  const name = String(id ?? '');
  if (!/^[A-Za-z0-9_.-]+$/.test(name) || /^\.+$/.test(name)) {
    throw new Failure('answer-unreadable', {
      message: `A ${kind} connector has the id ${JSON.stringify(name)}, which cannot be part of a file name.`,
      hint: 'Rename the connector on the platform, or publish without connectors: --no-connectors (in the action: connectors: false).',
    });
  }
  const content = Buffer.from(`${JSON.stringify(connector, null, 2)}\n`);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path: `connector-profile:${kind}-${name}.json`, bytes: content.length, sha256, content };
}
