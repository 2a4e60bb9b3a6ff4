import type { Action, InputShape } from '../../actions/kit/action.ts';
import { type InputMeta, metaOf } from '../../actions/kit/input-field.ts';
import { inputVariable } from '../../actions/kit/read-inputs.ts';

/** What generation needs to know of an action. */
export type ActionFacts = Pick<Action<InputShape>, 'name' | 'title' | 'description' | 'outputs'> & {
  readonly inputs: { readonly shape: InputShape };
};

/** One step of a composite action: a JavaScript action, started by hand. */
export interface CompositeStep {
  readonly id: string;
  readonly name: string;
  readonly action: ActionFacts;
  /** Expression; the step runs after success where it is not given. */
  readonly if?: string;
  /** Inputs that are not the composite action's own of the same name: an expression or a text. */
  readonly given?: Readonly<Record<string, string>>;
}

export interface Composite {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly steps: readonly CompositeStep[];
  /** Inputs beside those that the steps share by name. */
  readonly inputs: Readonly<Record<string, InputMeta>>;
  /** Name → description and expression. */
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
}

/** Inputs of a composite action: its own, and those of its steps that nobody else fills in. */
export function compositeInputs({ steps, inputs }: Composite): Record<string, InputMeta> {
  const ofSteps = steps.flatMap(({ action, given }) =>
    Object.entries(action.inputs.shape)
      .filter(([name]) => given?.[name] === undefined)
      .map(([name, field]) => [name, metaOf(field)] as const),
  );
  return { ...Object.fromEntries(ofSteps), ...inputs };
}

/**
 * The script of a step. Inputs come through the environment only, so no value can become script. The runner signals
 * the shell alone, so Node takes its place (`exec`).
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
export function stepEnvironment({ action, given = {} }: CompositeStep): Record<string, string> {
  return Object.fromEntries(
    Object.keys(action.inputs.shape).map((name) => [
      inputVariable(name),
      given[name] ?? `\${{ inputs.${name} }}`,
    ]),
  );
}
