/** Formats of unquoted values in YAML's core schema (YAML 1.2.2 §10.3.2), as in the package `yaml`. */
const forms: readonly { readonly form: RegExp; read(text: string): number | boolean | null }[] = [
  { form: /^(?:~|[Nn]ull|NULL)$/, read: () => null },
  { form: /^(?:[Tt]rue|TRUE)$/, read: () => true },
  { form: /^(?:[Ff]alse|FALSE)$/, read: () => false },
  { form: /^[-+]?[0-9]+$/, read: (text) => Number.parseInt(text, 10) },
  { form: /^0o[0-7]+$/, read: (text) => Number.parseInt(text.slice(2), 8) },
  { form: /^0x[0-9a-fA-F]+$/, read: (text) => Number.parseInt(text.slice(2), 16) },
  { form: /^\.(?:nan|NaN|NAN)$/, read: () => Number.NaN },
  { form: /^[-+]?\.(?:inf|Inf|INF)$/, read: (text) => (text.startsWith('-') ? -Infinity : Infinity) },
  {
    form: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/,
    read: (text) => Number.parseFloat(text),
  },
];

/** The value of a plain scalar: its text, unless it has the format of a number, a boolean or null. */
export function plainValue(text: string): string | number | boolean | null {
  // Most values are words; the check of the first character makes them fast.
  if (!/^[-+.0-9~NnTtFf]/.test(text)) return text;
  const found = forms.find(({ form }) => form.test(text));
  return found === undefined ? text : found.read(text);
}
