import { compileGlob } from '../../core/files/glob.ts';
import { Failure, type Place } from '../../core/errors/failure.ts';
import type { YamlPath } from '../../yaml/read-yaml.ts';
import { type Gates, strictestGates } from '../project/gates-schema.ts';
import type { Lane } from '../project/lane-schema.ts';
import { isTeam } from './operator-schema.ts';
import type { ProjectConfig } from '../project/project-schema.ts';
import type { WorkerConfig } from './read-worker-config.ts';
import type { CredentialReference, RepositoryPolicy } from './worker-schema.ts';

/** What the lanes of a repository may do: `millrace.yaml`, restricted by `worker.yaml`. */
export interface EffectivePolicy {
  readonly repository: RepositoryPolicy;
  readonly project: string;
  readonly credential: CredentialReference;
  /** The lanes of millrace.yaml; each gate is the stricter one of the two files. */
  readonly lanes: readonly Lane[];
  /** Who may approve, from worker.yaml alone. */
  readonly approvers: readonly string[];
  /** The position of a part of the repository's entry in worker.yaml, for messages. */
  readonly placeOf: (path: YamlPath) => Place;
}

/**
 * Applies `worker.yaml` to `millrace.yaml`. Denies a repository that is not listed, and projects, environments,
 * verify pipelines and refs that its entry does not name. Throws one Failure 'not-allowed-here' with all denials,
 * at the line of worker.yaml that causes the first; 'no-project' if millrace.yaml names no project.
 */
export function effectivePolicy(
  worker: WorkerConfig,
  repositoryId: number,
  config: ProjectConfig,
): EffectivePolicy {
  const index = worker.repositories.findIndex(({ id }) => id === repositoryId);
  const repository = worker.repositories[index];
  const credential = worker.credentials[repository?.credential ?? ''];
  if (repository === undefined || credential === undefined) {
    throw denied([
      {
        message: `the repository with the id ${repositoryId} is not listed under \`repositories\``,
        where: worker.placeOf(['repositories']),
      },
    ]);
  }
  const placeOf = (path: YamlPath): Place => worker.placeOf(['repositories', index, ...path]);
  const { project } = config;
  if (project === undefined) {
    throw new Failure('no-project', {
      message: `The millrace.yaml of ${repository.name} does not set \`project\`, so the worker does not know whose versions to promote.`,
      hint: 'Add `project: <id>` to that millrace.yaml, with the id of the project on the platform, and push the file.',
      where: { file: 'millrace.yaml' },
    });
  }
  const lanes = config.lanes.map((lane) => ({ ...lane, gates: gatesFor(repository, lane) }));
  const denials = [
    ...(repository.projects.some((id) => id.toLowerCase() === project.toLowerCase())
      ? []
      : [
          {
            message: `the project ${project} is not listed in \`projects\` of the repository`,
            where: placeOf(['projects']),
          },
        ]),
    ...lanes.flatMap((lane) => denialsOf(lane, repository, placeOf)),
  ];
  if (denials.length > 0) throw denied(denials);
  return { repository, project, credential, lanes, approvers: repository.approvers, placeOf };
}

interface Denial {
  readonly message: string;
  readonly where: Place;
}

function denialsOf(lane: Lane, repository: RepositoryPolicy, placeOf: EffectivePolicy['placeOf']): Denial[] {
  const denials: Denial[] = [];
  const deny = (what: string, key: keyof RepositoryPolicy): void => {
    denials.push({ message: `lane "${lane.name}": ${what} \`${key}\``, where: placeOf([key]) });
  };
  if (!repository.environments.includes(lane.to))
    deny(`its target environment "${lane.to}" is not listed in`, 'environments');
  for (const { pipeline } of lane.verify) {
    if (!fitsPipeline(repository.pipelines, pipeline))
      deny(`its verification "${pipeline}" matches no pattern of`, 'pipelines');
  }
  // A pattern with stars is compared at each push: then the ref must match both files.
  const literal = (patterns: readonly string[]) => patterns.filter((pattern) => !/[*?{]/.test(pattern));
  for (const branch of literal(lane.on?.branches ?? [])) {
    if (!fitsAny(repository.branches, branch))
      deny(`its branch "${branch}" matches no pattern of`, 'branches');
  }
  if ((lane.on?.tags.length ?? 0) > 0 && repository.tags.length === 0)
    deny('it starts on tags, but the repository has no', 'tags');
  for (const tag of literal(lane.on?.tags ?? [])) {
    if (!fitsAny(repository.tags, tag)) deny(`its tag "${tag}" matches no pattern of`, 'tags');
  }
  for (const { environment, message } of brokenRules(repository, lane))
    denials.push({ message: `lane "${lane.name}": ${message}`, where: placeOf(['gates', environment]) });
  const { approvers } = repository;
  if (!approvers.some(isTeam) && lane.gates.approvals > new Set(approvers).size) {
    deny(`it needs ${lane.gates.approvals} approvals, but fewer people are listed in`, 'approvers');
  }
  return denials;
}

/** The stricter of a lane’s own gates and those in worker.yaml for its target. */
export function gatesFor(repository: RepositoryPolicy, lane: Pick<Lane, 'to' | 'gates'>): Gates {
  return rulesFor(repository, lane)
    .map(([, rules]) => rules)
    .reduce<Gates>(strictestGates, lane.gates);
}

/** The rules of worker.yaml that a lane does not meet, each with the environment that has the rule. */
export function brokenRules(
  repository: RepositoryPolicy,
  lane: Pick<Lane, 'from' | 'to'> & { readonly verify: readonly { readonly pipeline: string }[] },
): readonly { readonly environment: string; readonly message: string }[] {
  return rulesFor(repository, lane).flatMap(([environment, { from, verify }]) => [
    ...(from === undefined || from.includes(lane.from)
      ? []
      : [
          {
            environment,
            message: `versions for ${lane.to} must come from ${from.join(' or ')}, not from ${lane.from}`,
          },
        ]),
    ...verify
      .filter((pattern) => !lane.verify.some(({ pipeline }) => fitsPipeline([pattern], pipeline)))
      .map((pattern) => ({
        environment,
        message: `its \`verify\` has no pipeline that matches the required "${pattern}"`,
      })),
  ]);
}

/** The rules of worker.yaml for a lane’s target, with the key that each has there. */
function rulesFor({ gates }: RepositoryPolicy, { to }: Pick<Lane, 'to'>) {
  return Object.entries(gates).filter(([environment]) => environment === '*' || environment === to);
}

export function fitsAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => compileGlob(pattern)(name));
}

/** Pipeline names may have their suffix or not (unknowns §2). */
function fitsPipeline(patterns: readonly string[], pipeline: string): boolean {
  const bare = (name: string): string => name.replace(/\.(?:orch|tran)\.yaml$/, '');
  return fitsAny(patterns.map(bare), bare(pipeline));
}

export function denied(denials: readonly Denial[]): Failure {
  const message = `worker.yaml does not allow this: ${denials.map((denial) => denial.message).join('; ')}.`;
  const [first] = denials;
  return new Failure('not-allowed-here', {
    message,
    hint: 'Change millrace.yaml to what worker.yaml allows, or ask the operator of the worker to change worker.yaml.',
    where: first?.where ?? {},
    details: { denials },
  });
}
