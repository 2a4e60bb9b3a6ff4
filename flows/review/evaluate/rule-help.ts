import { checkIds } from '../../../lib/config/project/review-schema.ts';
import { rulesFileRule } from '../../../lib/pipelines/prepare-rules.ts';
import type { RuleHelp } from '../../findings/sarif.ts';

const help: Readonly<Record<string, RuleHelp>> = {
  'minimum-components': {
    summary: 'A pipeline has at least the minimum number of components.',
    reason: 'An empty pipeline runs, does nothing and reports success.',
    fix: 'Finish the pipeline, or delete it.',
  },
  'maximum-components': {
    summary: 'A pipeline has at most the maximum number of components.',
    reason: 'A large pipeline is hard to read, to test and to restart in the middle.',
    fix: 'Move a part into a separate pipeline and call it.',
  },
  'component-naming-convention': {
    summary: 'Component names match the pattern of the rules file.',
    reason: 'Logs and error messages show these names.',
    fix: 'Rename the component, and update each transition or source that names it.',
  },
  'unused-components': {
    summary: 'Every component is reachable.',
    reason: 'An unreachable component never runs, but people who read the pipeline expect that it runs.',
    fix: 'Connect the component, or delete it.',
  },
  'copied-variables': {
    summary: 'A sequential iterator does not iterate over a copied variable.',
    reason: 'Each iteration gets its own copy and not the value of the previous iteration.',
    fix: 'Make the variable shared, or the iterator concurrent.',
  },
  'start-and-end-components': {
    summary: 'An orchestration starts at a start component, and each branch ends in an end component.',
    reason: 'A branch without an end component does not show whether the execution succeeded.',
    fix: 'End each branch with end-success or end-failure.',
  },
  'maximum-outputs': {
    summary: 'A transformation has at most the maximum number of outputs.',
    reason: 'Several outputs in one transformation fail and are repeated together.',
    fix: 'Split the transformation into several transformations with one output each.',
  },
  'end-output-components': {
    summary: 'Each branch of a transformation ends in an output.',
    reason: 'A branch without an output computes data that is not used.',
    fix: 'Add an output, or delete the branch.',
  },
  'rules-file': {
    summary: 'The rules file can be read.',
    reason: 'Without it no rule is evaluated.',
    fix: 'Correct the line that the finding names.',
  },
  'pipeline-file': {
    summary: 'The pipeline file can be read.',
    reason: 'No rule can be evaluated on a file that is not a pipeline.',
    fix: 'Correct the line that the finding names. If the file is not a pipeline, rename it or add it to files.exclude in millrace.yaml.',
  },
  'millrace/unknown-call': {
    summary: 'Every called pipeline exists.',
    reason: 'The call fails only when it runs, possibly first in production.',
    fix: 'Correct the path, or restore the pipeline.',
  },
  'millrace/call-cycle': {
    summary: 'No pipeline calls itself, directly or through others.',
    reason: 'A cycle runs until the execution fails.',
    fix: 'Remove one of the calls. To repeat work, use an iterator.',
  },
  'millrace/dangling-reference': {
    summary: 'Transitions, iteration targets and sources lead to components that exist.',
    reason: 'A transition to a missing component is silently ignored.',
    fix: 'Correct the name, or remove the entry; `millrace review --fix` removes it.',
  },
  'millrace/unknown-key': {
    summary: 'Every key of a pipeline file is a known key.',
    reason: 'A misspelled key is silently ignored.',
    fix: 'Correct the key, or move it: a parameter is below `parameters`.',
  },
  'millrace/unknown-parameter': {
    summary: 'No parameter of a component is misspelled.',
    reason:
      'A misspelled parameter is ignored, and the component runs with the default of the parameter that was meant.',
    fix: 'Correct the name of the parameter.',
  },
  'millrace/literal-environment': {
    summary: 'Warehouse, database and schema come from the environment or a variable.',
    reason: 'With a literal name, production reads and writes the data of development.',
    fix: 'Write [Environment Default] or a variable.',
  },
  'millrace/shared-id-changed': {
    summary: 'The id of a shared pipeline does not change.',
    reason: 'Consumers call prefix#id (spec §2.11): without the id their calls fail.',
    fix: 'Restore the id. Publish new pipelines under a new id.',
  },
  'millrace/shared-pipelines-file': {
    summary: 'Each entry of shared-pipelines.yaml fits its pipeline.',
    reason: 'Calls of a shared pipeline that is missing, or with a parameter that it does not declare, fail.',
    fix: 'Correct the path or the parameter, or declare the variable in the pipeline.',
  },
  'millrace/wrong-type': {
    summary:
      'Each component has a type of the kind of its pipeline, the type of the file agrees with its name, and each default is of the type of its variable.',
    reason:
      'A component without a type, or with a type that does not exist, fails only when it runs, possibly first in production. A pipeline does not start with a default of another type.',
    fix: 'Write the type that the component should have. If the whole file has the wrong kind, rename it. Correct the default, or the type of the variable.',
  },
  'millrace/passed-variable': {
    summary:
      'Each variable that a call passes is declared in the called pipeline, is passed once, and can have its value.',
    reason: 'The called pipeline does not start with a variable that it does not have, or with such a value.',
    fix: 'Correct the name or the value, or declare the variable in the called pipeline.',
  },
  'millrace/missing-file': {
    summary: 'Every script file that a component names exists in the project.',
    reason: 'The component fails only when it runs, possibly first in production.',
    fix: 'Set or correct the path, or restore the file. If files.include leaves the file out, add the file there.',
  },
  'millrace/undeclared-variable': {
    summary: 'Every variable that is used is declared.',
    reason: 'An undeclared variable is not replaced, or it fails the execution.',
    fix: 'Declare the variable in the pipeline. If it is a project variable, add its name to review.variables in millrace.yaml.',
  },
  'millrace/connector-file': {
    summary: 'No connector file is in the repository.',
    reason:
      'The platform provides connectors itself (spec §2.6). A copy in the repository is out of date and stops publishing.',
    fix: 'Delete the file.',
  },
  'millrace/config-invalid': {
    summary: 'The settings and the baseline can be read.',
    reason:
      'A pull request is reviewed with the settings and the baseline of its target branch. After the merge, invalid settings or an invalid baseline would stop every review.',
    fix: 'Correct the line that the finding names.',
  },
  'millrace/left-out': {
    summary:
      'Every pipeline file is reviewed and published: none has a name or a folder that begins with a dot, or a name that does not end in .orch.yaml or .tran.yaml.',
    reason:
      'A file that does not count as a pipeline is neither reviewed nor published as one, and nothing else says so.',
    fix: 'Rename the file, or add the folder to files.include in millrace.yaml. If it should be left out, add it to files.exclude.',
  },
  'millrace/no-pipelines': {
    summary: 'The project has a pipeline.',
    reason: 'A review without a pipeline shows nothing about the project.',
    fix: 'Make files.include in millrace.yaml match the pipelines, or review the folder that contains them (--working-directory, input working-directory).',
  },
  'millrace/not-fetched': {
    summary: 'The review can read every file that it needs.',
    reason:
      'A file that this partial clone has not fetched may call or run what the change removes, or break a rule.',
    fix: 'Fetch the folder with git sparse-checkout add, or all files with git sparse-checkout disable, and review again.',
  },
  'millrace/not-reviewed': {
    summary: 'The platform can review every file.',
    reason: 'A file that was not reviewed may hold any error.',
    fix: 'See the message. The platform’s log may have more details.',
  },
  'millrace/review-status': {
    summary: 'The review ends PASSED or FAILED.',
    reason: 'The meaning of another status is unknown, so it counts as failed.',
    fix: 'Ask the operator of the platform what the status means.',
  },
  'millrace/policy-changed': {
    summary: 'A change does not alter the files that decide about its review.',
    reason: 'The settings, the rules file and the baseline decide what a review finds.',
    fix: 'Review the change of that file. An intended change needs no fix.',
  },
  'millrace/rules-loosened': {
    summary: 'A change does not loosen a rule.',
    reason: 'A review uses the rules file of the change itself.',
    fix: 'Restore the rule, or change the rules in a separate pull request. A suppression in the target branch’s millrace.yaml lets the change pass.',
  },
  'millrace/suppression-expired': {
    summary: 'No suppression has expired.',
    reason: 'The suppressed finding should have been fixed by that date.',
    fix: 'Fix the finding, or agree on a new date.',
  },
  'millrace/suppression-useless': {
    summary: 'Each suppression matches a finding.',
    reason: 'A forgotten suppression hides the next finding of its kind.',
    fix: 'Remove the suppression from millrace.yaml, or remove the comment.',
  },
  'millrace/suppression-invalid': {
    summary: 'Each comment that suppresses findings names rules that exist, and gives a reason.',
    reason: 'A comment with a mistake suppresses nothing, but people who read it expect that it does.',
    fix: 'Write "# millrace-ignore rule: reason".',
  },
  'millrace/suppression-added': {
    summary: 'A change does not suppress its own findings with comments.',
    reason: 'A comment hides a finding from later readers, so it needs the agreement of a reviewer.',
    fix: 'Fix the finding. If the suppression is intended, review its reason; review.suppression-comments in the target branch’s millrace.yaml decides whether it applies.',
  },
};

/** The help for a rule; a general text for a rule that only the platform knows. */
export function helpOf(rule: string): RuleHelp {
  return (
    help[rule] ?? {
      summary: `The rule ${rule}.`,
      reason: 'The platform’s rules file enables this rule.',
      fix: 'See the finding’s message.',
    }
  );
}

/** All rules that have help. */
export const helpedRules: readonly string[] = Object.keys(help);

/** The file and section of this repository that describe a rule. */
export function pageOf(rule: string): string {
  const check = /^millrace\/(.*)$/.exec(rule)?.[1];
  if (check !== undefined) {
    const hasSection = checkIds.some((id) => id === check);
    return `docs/rules.md#${hasSection ? check : 'findings-of-the-review-itself'}`;
  }
  return `docs/unknowns.md#${rule === rulesFileRule ? 'the-rules-file' : 'the-eight-rules'}`;
}
