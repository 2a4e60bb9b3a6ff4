import { mask, namesSecret } from '../../lib/core/text/redactor.ts';
import type { VariableChange, VariablesPlan } from './plan-variables.ts';

/**
 * The plan for people, with `[secret]` instead of the values of variables whose name suggests a secret, such as
 * `api_key` or `db_password`. The platform stores values of variables as plain text, so secrets should not be
 * there.
 */
export function hideSecretValues<Plan extends VariablesPlan>(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => (isSecret(change.variable) ? hidden(change) : change)),
  };
}

/** Whether the name of a variable suggests that its value is secret. */
export function isSecret(variable: string): boolean {
  return namesSecret(variable.replaceAll('_', '-'));
}

function hidden(change: VariableChange): VariableChange {
  switch (change.change) {
    case 'create':
      return { ...change, wanted: hiddenWanted(change.wanted) };
    case 'update':
      return {
        ...change,
        wanted: hiddenWanted(change.wanted),
        fields: change.fields.map((field) =>
          field.field === 'value' ? { ...field, from: field.from === null ? null : mask, to: mask } : field,
        ),
      };
    case 'set-override':
      return { ...change, from: change.from === null ? null : mask, to: mask };
    case 'delete-override':
      return { ...change, from: mask };
    case 'delete':
      return change;
  }
}

function hiddenWanted<Wanted extends { readonly value?: unknown }>(variable: Wanted): Wanted {
  return variable.value === undefined ? variable : { ...variable, value: mask };
}
