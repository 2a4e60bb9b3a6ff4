import { mask, namesSecret } from '../../lib/core/text/redactor.ts';
import type { VariableChange, VariablesPlan } from './plan-variables.ts';

/**
 * The plan for people, with `[secret]` in place of the values of variables whose name says that they are secret, such as
 * `api_key` or `db_password`. The platform keeps the values of variables in plain text, so a secret does not belong there.
 */
export function hideSecretValues<Plan extends VariablesPlan>(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => (isSecret(change.variable) ? hidden(change) : change)),
  };
}

/** Whether the name of a variable says that its value is secret. */
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
