import { isRecord } from '../../lib/core/values/is-record.ts';
import { validateOperationInput, RequestInvalid } from '../../client/index.ts';
import { Failure, type Place } from '../../lib/core/errors/failure.ts';
import { inexactNumbers } from '../../lib/yaml/inexact-numbers.ts';
import { readYaml, type YamlPath, type YamlSource } from '../../lib/yaml/read-yaml.ts';

/** A streaming pipeline as a file defines it (spec §2.5), with the positions of its fields. */
export interface StreamingDefinition {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The failure for a refusal by the platform or the contract, at the line that caused it. */
  refusal(refused: RequestInvalid): Failure;
}

/**
 * Reads one definition from YAML or JSON, with the field names of spec §2.5, and checks it against the contract.
 * Throws Failure 'config-invalid' at the line of the first problem. A secret that is not a reference is refused, and
 * the message does not quote it.
 */
export function readDefinition(text: string, file: string): StreamingDefinition {
  const source = readYaml(text, { file });
  const [problem] = [...source.problems, ...inexactNumbers(source)];
  if (problem !== undefined) {
    const { line, column } = problem;
    throw new Failure('config-invalid', {
      message: problem.message,
      hint: 'Fix the YAML at that position.',
      where: { file, line, column },
    });
  }
  const { value } = source;
  const fields = isRecord(value) ? value : {};
  const { name } = fields;
  const definition: StreamingDefinition = {
    name: typeof name === 'string' ? name : '',
    fields,
    refusal: (refused) => located(refused, source),
  };
  try {
    // Any project id is valid here: only the body is checked.
    validateOperationInput('streamingPipelines.create', {
      ...fields,
      projectId: '00000000-0000-4000-8000-000000000000',
    });
  } catch (error) {
    if (error instanceof RequestInvalid) throw definition.refusal(error);
    throw error;
  }
  return definition;
}

function located({ violations, message }: RequestInvalid, source: YamlSource): Failure {
  const problems = violations.map((violation) => {
    const place = placeOf(violation.field, source);
    return {
      ...place,
      message: `${violation.field ?? ''} ${violation.message}`.trimStart(),
    };
  });
  problems.sort((a, b) => (a.line ?? 1) - (b.line ?? 1));
  const [first] = problems;
  const listed = problems.map(
    ({ line, column, message: text }) => `\n  ${String(line)}:${String(column)} ${text}`,
  );
  return new Failure('config-invalid', {
    message:
      first === undefined
        ? message
        : problems.length === 1
          ? `${first.message}.`
          : `${String(problems.length)} problems:${listed.join('')}`,
    where:
      first === undefined
        ? { file: source.file }
        : { file: source.file, line: first.line ?? 1, column: first.column ?? 1 },
    hint: 'Fix these fields of the definition. docs/streaming.md describes them.',
    details: { problems },
  });
}

/**
 * The position of a field; `tables.0.schema` and `tables[0].schema` are the same. A missing field has the position of
 * its parent.
 */
function placeOf(field: string | undefined, source: YamlSource): Place {
  const path: YamlPath = (field ?? '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  for (let length = path.length; length > 0; length -= 1) {
    const range = source.keyRangeOf(path.slice(0, length));
    if (range !== undefined) return { file: source.file, line: range.line, column: range.column };
  }
  return { file: source.file, line: 1, column: 1 };
}
