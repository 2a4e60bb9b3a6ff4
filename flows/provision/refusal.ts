import { type ClientError, type OutcomeUnknown, RequestInvalid } from '../../client/index.ts';
import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import type { ProvisionFile } from '../../lib/config/project/provision-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { YamlPath } from '../../lib/yaml/read-yaml.ts';
import type { ProvisionPart } from './part.ts';

/** The path of a part in the file. */
export function pathOf({ kind, name }: Pick<ProvisionPart, 'kind' | 'name'>): YamlPath {
  if (kind === 'project' || kind === 'repository') return [kind];
  return [kind === 'connection' ? 'connections' : 'environments', name];
}

/** The failure for a part that the platform refused, at the line of the file that caused it. */
export function refusalOf(
  refused: RequestInvalid,
  part: ProvisionPart,
  { value, keyPlaceOf }: ReadConfig<ProvisionFile>,
): Failure {
  const { violations, message } = refused;
  const sentences = violations.map((violation) =>
    [violation.field, violation.message].filter(Boolean).join(' '),
  );
  const [first = ''] = sentences;
  return new Failure('config-invalid', {
    message: `The platform refused the ${part.kind} ${part.name}: ${sentences.length === 0 ? message : `${sentences.join('; ')}.`}`,
    where: keyPlaceOf([...pathOf(part), ...fieldPath(first, part, value)]),
    hint: 'Correct the value at that line, then apply the file again.',
    details: { violations },
    cause: refused,
  });
}

/**
 * The path in the file of the field that a violation starts with: `connectionOverrides[0].connectionProperties.port
 * must …`.
 */
function fieldPath(sentence: string, { kind, name }: ProvisionPart, file: ProvisionFile): YamlPath {
  const [field = ''] = sentence.split(' ');
  const [, index, property] =
    /^connectionOverrides[[.](\d+)\]?\.connection(?:Properties\.(\w+)|Name)/.exec(field) ?? [];
  if (kind === 'environment' && index !== undefined) {
    const connection = Object.keys(file.environments[name]?.connections ?? {})[Number(index)] ?? '';
    return ['connections', connection, ...(property === undefined ? [] : [property])];
  }
  if (field.startsWith('defaultConnections')) return ['connections'];
  return [field.split('.').at(-1) ?? ''];
}

/** The failure for a part that may or may not have been created, with what to check. */
export function creationOutcomeUnknown(
  unknown: OutcomeUnknown,
  { kind, name }: ProvisionPart,
  projectId: string | undefined,
): Failure {
  const inProject = projectId === undefined ? '' : ` in the project ${projectId}`;
  return new Failure('outcome-unknown', {
    message: `It is unknown whether the ${kind} "${name}"${inProject} was created: ${unknown.message}`,
    hint:
      kind === 'project'
        ? 'Look for the project on the platform (only Super Admins can see a new one). If it exists, run the command again with --project and its id. Otherwise run the command again.'
        : `Look at the ${kind === 'repository' ? 'repository' : `${kind}s`} of the project on the platform, then run the command again: existing parts are not changed.`,
    details: { ...unknown.details, ...(projectId === undefined ? {} : { projectId }) },
    cause: unknown,
  });
}

/** The failure for a project that exists but that the credential may not see (spec §1). */
export function unseenProject(cause: ClientError, name: string, projectId: string | undefined): Failure {
  return new Failure(projectId === undefined ? 'conflict' : 'not-found', {
    message:
      projectId === undefined
        ? `A project named "${name}" already exists, but this credential may not see it.`
        : `The project "${name}" was created (${projectId}), but this credential may not see it.`,
    hint: 'Only Super Admins can see a new project, until its users are invited by hand (spec §1). Use a Super Admin’s credential, or ask for an invitation, and run the command again.',
    details: projectId === undefined ? {} : { projectId },
    cause,
  });
}
