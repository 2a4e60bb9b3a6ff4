import type { ProvisionFile } from '../../lib/config/project/provision-schema.ts';
import { type CurrentProject, sameText } from './current-project.ts';
import type { PartDifference, ProvisionPart } from './part.ts';

/** Every part of the set-up with its state, in the order of creation (spec §4.1). */
export function planProvision(file: ProvisionFile, current: CurrentProject | undefined): ProvisionPart[] {
  const { project, connections, environments, repository } = file;
  // The API lists neither connections nor repositories.
  const hidden = current === undefined ? 'missing' : 'unseen';
  const parts: ProvisionPart[] = [
    current === undefined
      ? { kind: 'project', name: project.name, state: 'missing', differences: [] }
      : compared('project', project.name, projectDifferences(project, current)),
    ...Object.keys(connections).map(
      (name) => ({ kind: 'connection', name, state: hidden, differences: [] }) as const,
    ),
    ...Object.entries(environments).map(([name, { defaultAgentId }]) =>
      environmentPart(name, defaultAgentId, current?.environments),
    ),
    ...[...(current?.environments.keys() ?? [])]
      .filter((name) => !Object.hasOwn(environments, name))
      .map((name) => ({ kind: 'environment', name, state: 'extra', differences: [] }) as const),
  ];
  if (repository !== undefined) {
    const name = `${repository.ownerName}/${repository.repositoryName}`;
    parts.push({ kind: 'repository', name, state: hidden, differences: [] });
  }
  return parts;
}

/** Compares an environment with those on the platform. */
export function environmentPart(
  name: string,
  agentId: string,
  current: ReadonlyMap<string, string | null> | undefined,
): ProvisionPart {
  if (!current?.has(name)) return { kind: 'environment', name, state: 'missing', differences: [] };
  const currentAgentId = current.get(name) ?? null;
  return compared(
    'environment',
    name,
    sameText(currentAgentId, agentId)
      ? []
      : [{ field: 'defaultAgentId', platform: currentAgentId, file: agentId }],
  );
}

function projectDifferences(
  { name, description }: ProvisionFile['project'],
  current: CurrentProject,
): PartDifference[] {
  return [
    ...(name === current.name ? [] : [{ field: 'name', platform: current.name, file: name }]),
    ...(description === undefined || description === current.description
      ? []
      : [{ field: 'description', platform: current.description, file: description }]),
  ];
}

function compared(
  kind: ProvisionPart['kind'],
  name: string,
  differences: readonly PartDifference[],
): ProvisionPart {
  return { kind, name, state: differences.length === 0 ? 'same' : 'differs', differences };
}
