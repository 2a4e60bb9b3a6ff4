/** The source of a setting's value. */
export type SettingOrigin = 'flag' | 'environment' | 'file' | 'default';

export interface ResolvedSetting<T> {
  readonly value: T;
  readonly origin: SettingOrigin;
}

/** The value of a setting from each source. An action's input counts as a flag. */
export interface SettingChoices<T> {
  readonly flag?: T | undefined;
  readonly environment?: T | undefined;
  readonly file?: T | undefined;
  readonly default?: T | undefined;
}

const precedence = ['flag', 'environment', 'file', 'default'] as const satisfies readonly SettingOrigin[];

/**
 * The order of precedence: flag, then environment, then file, then default. An empty text counts as not set, because
 * workflows pass missing secrets and inputs as empty texts.
 */
export function resolveSetting<T>(choices: SettingChoices<T>): ResolvedSetting<T> | undefined {
  for (const origin of precedence) {
    const value = choices[origin];
    if (value !== undefined && value !== '') return { value, origin };
  }
  return undefined;
}
