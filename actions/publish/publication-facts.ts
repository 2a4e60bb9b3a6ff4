import type { Fact } from '../../flows/evidence/sign-facts.ts';
import type { PublishReport } from '../../flows/publish/publish.ts';
import { version as millrace } from '../../lib/core/values/version.ts';
import { provenancePredicate } from '../../lib/evidence/predicates.ts';
import { momentOf } from '../../lib/evidence/statement.ts';
import type { Step } from '../kit/step/step.ts';

/**
 * The provenance of what was published, as a fact to sign. `project`: its id on the platform; `directory`: its
 * folder in the repository.
 */
export function provenanceFact(
  { commit, version, environment, files }: PublishReport,
  { project, directory }: { readonly project: string; readonly directory: string },
  { facts, environment: variables, context }: Step,
): Fact {
  const source = `${facts.serverUrl}/${facts.repository}`;
  const predicate = provenancePredicate({
    source,
    ref: facts.ref,
    commit,
    version,
    environment,
    project,
    workflow: variables['GITHUB_WORKFLOW_REF'] ?? '',
    run: `${source}/actions/runs/${variables['GITHUB_RUN_ID'] ?? ''}/attempts/${facts.attempt}`,
    finishedAt: momentOf(context.clock.now()),
    millrace,
    manifest: { directory, files },
  });
  return { kind: 'provenance', version, predicate };
}
