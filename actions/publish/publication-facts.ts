import { resolve } from 'node:path';
import type { Fact } from '../../flows/evidence/sign-facts.ts';
import type { PublishReport } from '../../flows/publish/publish.ts';
import { canonicalSnapshot } from '../../flows/snapshot/canonical-snapshot.ts';
import { readSnapshot } from '../../flows/snapshot/read-snapshot.ts';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
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

/**
 * What the published version contains, as a fact to sign, from the snapshot file of an earlier step. Throws Failure
 * 'snapshot-invalid'; rejects if the file cannot be read.
 */
export async function snapshotFact(file: string, version: string, { facts }: Step): Promise<Fact> {
  const snapshot = readSnapshot(await readTextFile(resolve(facts.workspace, file), file), file);
  return { kind: 'snapshot', version, predicate: canonicalSnapshot(snapshot) as unknown as JsonValue };
}
