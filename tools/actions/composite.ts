import type { Action, InputShape } from '../../actions/kit/step/action.ts';
import { type InputMeta, metaOf } from '../../actions/kit/inputs/input-field.ts';
import { inputVariable } from '../../actions/kit/inputs/read-inputs.ts';

/** What generation needs to know of an action. */
export type ActionFacts = Pick<Action<InputShape>, 'name' | 'title' | 'description' | 'outputs'> & {
  readonly inputs: { readonly shape: InputShape };
};

/** One step of a composite action: a JavaScript action, which a script starts. */
export interface CompositeStep {
  readonly id: string;
  readonly name: string;
  readonly action: ActionFacts;
  /** A condition (expression). Without it, the step runs after the success of the steps before it. */
  readonly if?: string;
  /** Inputs with another value than the composite action's input of the same name: an expression or a text. */
  readonly fixedInputs?: Readonly<Record<string, string>>;
}

/** What runs before the steps. It gets no input. */
export interface Preparation {
  readonly id: string;
  readonly name: string;
  readonly if: string;
  readonly script: string;
}

export interface Composite {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** In this order, before the steps. */
  readonly preparations?: readonly Preparation[];
  readonly steps: readonly CompositeStep[];
  /** Inputs in addition to the inputs of the steps. */
  readonly inputs: Readonly<Record<string, InputMeta>>;
  /** Name → description and expression. */
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
}

/** The inputs of a composite action: its own inputs, and the inputs of its steps that have no fixed value. */
export function compositeInputs({ steps, inputs }: Composite): Record<string, InputMeta> {
  const ofSteps = steps.flatMap(({ action, fixedInputs }) =>
    Object.entries(action.inputs.shape)
      .filter(([name]) => fixedInputs?.[name] === undefined)
      .map(([name, field]) => [name, metaOf(field)] as const),
  );
  return { ...Object.fromEntries(ofSteps), ...inputs };
}

/**
 * The script of a step. Inputs are passed through the environment only, so no value can become a part of the script. The
 * runner signals only the shell, so `exec` replaces the shell by Node.
 */
export function stepScript(action: string): string {
  return `version="$(node --version 2>/dev/null || echo none)"
case "$version" in
  v2[4-9].* | v[3-9][0-9].*) ;;
  *)
    echo "::error title=Millrace needs Node 24::The node on the PATH of this job is: $version. Add a step before this one that sets Node 24 up (actions/setup-node with node-version 24)."
    echo "outcome=error" >> "$GITHUB_OUTPUT"
    exit 2
    ;;
esac
exec node "$GITHUB_ACTION_PATH/../../dist/${action}.js"
`;
}

/** `INPUT_*` of a step: bash keeps names with hyphens in the environment, other shells drop them. */
export function stepEnvironment({ action, fixedInputs = {} }: CompositeStep): Record<string, string> {
  return Object.fromEntries(
    Object.keys(action.inputs.shape).map((name) => [
      inputVariable(name),
      fixedInputs[name] ?? `\${{ inputs.${name} }}`,
    ]),
  );
}
