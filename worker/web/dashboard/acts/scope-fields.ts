import { type Content, html } from '../../../../lib/html/markup.ts';
import { mayTouch } from '../../../operators/operator.ts';
import type { Form } from '../parts/form.ts';
import type { Visit } from '../parts/visit.ts';

/** Fields to choose a repository and an environment of worker.yaml. The first choice means all. */
export function scopeFields({ operator, ports }: Pick<Visit, 'operator' | 'ports'>, form: Form): Content {
  const repositories = ports.config.repositories.filter(({ id }) => mayTouch(operator, id));
  const environments = [...new Set(repositories.flatMap((repository) => repository.environments))].toSorted();
  return [
    selectField(
      'repository',
      'Repository',
      [['', 'All repositories'], ...repositories.map(({ id, name }) => [String(id), name] as const)],
      form,
    ),
    selectField(
      'environment',
      'Environment',
      [['', 'All environments'], ...environments.map((name) => [name, name] as const)],
      form,
    ),
  ];
}

/** A field to choose one of several values; each has a label. */
export function selectField(
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  form: Form,
): Content {
  return html`<p class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, shown]) =>
          html`<option value="${value}" ${form[name] === value ? html`selected` : null}>${shown}</option>`,
      )}
    </select>
  </p>`;
}
