import { checkIds } from '../../lib/config/review-schema.ts';
import { rulesFileRule } from '../../lib/pipelines/prepare-rules.ts';

/** What a rule is for and how its findings are mended: for SARIF viewers, and for docs/rules.md. */
export interface RuleHelp {
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
}

const help: Readonly<Record<string, RuleHelp>> = {
  'minimum-components': {
    summary: 'A pipeline has at least so many components.',
    why: 'An empty pipeline runs, does nothing and says that it succeeded.',
    fix: 'Finish the pipeline, or delete it.',
  },
  'maximum-components': {
    summary: 'A pipeline has at most so many components.',
    why: 'A large pipeline is hard to read, to test and to run again from the middle.',
    fix: 'Move a part into a pipeline of its own and call it.',
  },
  'component-naming-convention': {
    summary: 'Names of components follow the pattern of the rules file.',
    why: 'Names are what logs and failures show.',
    fix: 'Rename the component, and each transition or source that names it.',
  },
  'unused-components': {
    summary: 'Every component is reached.',
    why: 'What is never reached never runs, and whoever reads it believes that it does.',
    fix: 'Connect the component, or delete it.',
  },
  'copied-variables': {
    summary: 'A sequential iterator does not iterate over a copied variable.',
    why: 'Each round would see its own copy and not the value of the round before.',
    fix: 'Make the variable shared, or the iterator concurrent.',
  },
  'start-and-end-components': {
    summary: 'An orchestration starts at a start component, and each branch ends in an end component.',
    why: 'A branch that just stops tells nobody whether the run succeeded.',
    fix: 'Let each branch go on to end-success or end-failure.',
  },
  'maximum-outputs': {
    summary: 'A transformation has at most so many outputs.',
    why: 'Several outputs in one transformation fail and are repeated together.',
    fix: 'Split the transformation, one for each output.',
  },
  'end-output-components': {
    summary: 'Each branch of a transformation ends in an output.',
    why: 'A branch without output computes what nobody sees.',
    fix: 'Write its result somewhere, or delete the branch.',
  },
  'rules-file': {
    summary: 'The rules file can be read.',
    why: 'Without it no rule is evaluated.',
    fix: 'Mend the line that the finding names.',
  },
  'pipeline-file': {
    summary: 'The pipeline file can be read.',
    why: 'No rule can be evaluated on a file that is no pipeline.',
    fix: 'Mend the line that the finding names; a file that is no pipeline gets another suffix, or goes to files.exclude.',
  },
  'millrace/unknown-call': {
    summary: 'Every pipeline that is called exists.',
    why: 'The call fails only when it runs, in the environment where it hurts.',
    fix: 'Correct the path, or bring the pipeline back.',
  },
  'millrace/call-cycle': {
    summary: 'No pipeline calls itself, directly or through others.',
    why: 'It runs until something breaks.',
    fix: 'Take one of the calls out; repeat with an iterator.',
  },
  'millrace/dangling-reference': {
    summary: 'Transitions, iteration targets and sources lead to components that exist.',
    why: 'A way to a component that is not there is silently no way at all.',
    fix: 'Correct the name, or take the entry out; `millrace review --fix` takes it out.',
  },
  'millrace/literal-environment': {
    summary: 'Warehouse, database and schema come from the environment or a variable.',
    why: 'A literal name makes production read and write where development did.',
    fix: 'Write [Environment Default] or a variable.',
  },
  'millrace/shared-id-changed': {
    summary: 'The id of a shared pipeline stays.',
    why: 'Consumers call prefix#id (spec §2.11): without the id their calls fail.',
    fix: 'Put the id back; publish what is new under a new id beside it.',
  },
  'millrace/undeclared-variable': {
    summary: 'Every variable that is used is declared.',
    why: 'An unknown variable stays in the text as it is, or fails the run.',
    fix: 'Declare it in the pipeline, or name it under review.variables if it is a project variable.',
  },
  'millrace/connector-file': {
    summary: 'No connector file is in the repository.',
    why: 'The platform brings connectors itself (spec §2.6); a copy in the repository is out of date and stops a publish.',
    fix: 'Delete the file.',
  },
  'millrace/config-invalid': {
    summary: 'The settings and the baseline can be read.',
    why: 'A pull request is reviewed under those of its base; merged, these would stop everything after it.',
    fix: 'Correct the line that the finding names.',
  },
  'millrace/left-out': {
    summary: 'No pipeline is left out because its name or folder begins with a dot.',
    why: 'What no glob names is neither reviewed nor published, and nobody notices.',
    fix: 'Name the folder in files.include, or in files.exclude where it is to stay out.',
  },
  'millrace/no-pipelines': {
    summary: 'The project has a pipeline.',
    why: 'A review that looked at nothing says nothing about the project.',
    fix: 'Let files.include name the pipelines, or review the folder that holds them (working-directory).',
  },
  'millrace/not-reviewed': {
    summary: 'The platform can review every file.',
    why: 'Nobody knows what is wrong in a file that was not reviewed.',
    fix: 'See the message; the platform’s log may say more.',
  },
  'millrace/review-status': {
    summary: 'The review ends PASSED or FAILED.',
    why: 'Another word of the platform’s may mean anything, so it counts as failed.',
    fix: 'Ask whoever runs the platform what it means.',
  },
  'millrace/policy-changed': {
    summary: 'A change leaves alone what decides about it.',
    why: 'The settings, the rules file and the baseline say what a review finds.',
    fix: 'Look at the change of that file; nothing is wrong if it is meant.',
  },
  'millrace/rules-loosened': {
    summary: 'A change takes no rule back.',
    why: 'The rules file of the change itself is the one that its review uses.',
    fix: 'Put the rule back; change the rules in a pull request of their own; or let it through with a suppression that is in the base already.',
  },
  'millrace/suppression-expired': {
    summary: 'Suppressions are in date.',
    why: 'What was to be mended by then still is not.',
    fix: 'Mend it, or agree on a new day.',
  },
  'millrace/suppression-useless': {
    summary: 'Each suppression silences something.',
    why: 'One that is forgotten hides the next finding of its kind.',
    fix: 'Take it out of millrace.yaml.',
  },
};

/** The help for a rule; for one that only the platform knows, that it is the platform's. */
export function helpOf(rule: string): RuleHelp {
  return (
    help[rule] ?? {
      summary: `The rule ${rule}.`,
      why: 'The platform’s rules file asks for it.',
      fix: 'See the finding’s message.',
    }
  );
}

/** Every rule that has help, in the order of docs/rules.md. */
export const helpedRules: readonly string[] = Object.keys(help);

/** Where a rule is described: a file of this repository, and the section. */
export function pageOf(rule: string): string {
  const check = /^millrace\/(.*)$/.exec(rule)?.[1];
  if (check !== undefined) {
    const ofItsOwn = checkIds.some((id) => id === check);
    return `docs/rules.md#${ofItsOwn ? check : 'findings-of-the-review-itself'}`;
  }
  return `docs/unknowns.md#${rule === rulesFileRule ? 'the-rules-file' : 'what-the-rules-hold'}`;
}
