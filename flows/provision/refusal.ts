import { type ClientError, type OutcomeUnknown, RequestInvalid } from '../../client/index.ts';
import type { ReadConfig } from '../../lib/config/read-config.ts';
import type { ProvisionFile } from '../../lib/config/provision-schema.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { YamlPath } from '../../lib/yaml/read-yaml.ts';
import type { ProvisionPart } from './part.ts';

/** Where a part stands in the file. */
export function pathOf({ kind, name }: Pick<ProvisionPart, 'kind' | 'name'>): YamlPath {
  if (kind === 'project' || kind === 'repository') return [kind];
  return [kind === 'connection' ? 'connections' : 'environments', name];
}

/** What the platform refuses, at the line of the file that it comes from. */
export function refusalOf(
  refused: RequestInvalid,
  part: ProvisionPart,
  { value, keyPlaceOf }: ReadConfig<ProvisionFile>,
): Failure {
  const { violations, message } = refused;
  const said = violations.map((one) => [one.field, one.message].filter(Boolean).join(' '));
  const [first = ''] = said;
  return new Failure('config-invalid', {
    message: `The platform refuses the ${part.kind} ${part.name}: ${said.length === 0 ? message : `${said.join('; ')}.`}`,
    where: keyPlaceOf([...pathOf(part), ...fieldPath(first, part, value)]),
    details: { violations },
    cause: refused,
  });
}

/** The keys of the file that the beginning of a sentence means: `connectionOverrides[0].connectionProperties.port must …`. */
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

/** Nobody can tell whether a part was created: what to look at. */
export function creationOutcomeUnknown(
  unknown: OutcomeUnknown,
  { kind, name }: ProvisionPart,
  projectId: string | undefined,
): Failure {
  const inProject = projectId === undefined ? '' : ` in the project ${projectId}`;
  return new Failure('outcome-unknown', {
    message: `Whether the ${kind} "${name}"${inProject} was created is not known: ${unknown.message}`,
    hint:
      kind === 'project'
        ? 'Look for the project on the platform (a new one is shown to Super Admins only). If it is there, run this again with --project and its id; if it is not, just run it again.'
        : `Look at the ${kind === 'repository' ? 'repository' : `${kind}s`} of the project on the platform, then run this again: what is there is left as it is.`,
    details: { ...unknown.details, ...(projectId === undefined ? {} : { projectId }) },
    cause: unknown,
  });
}

/** A project that is there and is not shown (spec §1). */
export function unseenProject(cause: ClientError, name: string, projectId: string | undefined): Failure {
  return new Failure(projectId === undefined ? 'conflict' : 'not-found', {
    message:
      projectId === undefined
        ? `A project named "${name}" exists already, and this credential may not see it.`
        : `The project "${name}" was created, ${projectId}, and this credential may not see it.`,
    hint: 'A new project is shown to Super Admins only, until its users are invited by hand (spec §1). Use a Super Admin’s credential, or have yourself invited, and run this again.',
    details: projectId === undefined ? {} : { projectId },
    cause,
  });
}
