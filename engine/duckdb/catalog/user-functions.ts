import type { Column, UserFunction } from '../../core/relation.ts';
import type { SqlType } from '../../core/sql-type.ts';
import { quoteName } from './physical-name.ts';

const returned = 'returns ';

/**
 * The name of a parameter of a DuckDB macro. The name contains the type of the parameter, because a macro does not
 * store types.
 */
export function parameterName({ name, type }: Column): string {
  return `${JSON.stringify(type)} ${name}`;
}

/**
 * The parameter list of the DuckDB macro that stores a function which a user created. A last parameter, for which no
 * value is ever passed, has a name that contains the type of the returned value.
 */
export function functionSignature(parameters: readonly Column[], returns: SqlType): string {
  const names = parameters.map((parameter) => quoteName(parameterName(parameter)));
  return [...names, `${quoteName(`${returned}${JSON.stringify(returns)}`)} := NULL`].join(', ');
}

/**
 * The function of the user that a DuckDB macro stores, read from the names of the macro's parameters as
 * `functionSignature` writes them. Undefined for any other macro.
 */
export function readSignature(names: readonly string[], sql: string): UserFunction | undefined {
  const last = names.at(-1);
  if (last?.startsWith(returned) !== true) return undefined;
  const parameters = names.slice(0, -1).map((name) => typeIn(name.slice(0, name.indexOf('}') + 1)));
  return { parameters, returns: typeIn(last.slice(returned.length)), sql };
}

function typeIn(text: string): SqlType {
  return JSON.parse(text) as SqlType;
}
