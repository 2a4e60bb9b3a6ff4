const maxLength = 120;

/** A value for a person to read: as JSON, so that a text and a number look different; long ones cut. */
export function shownValue(value: string | number | boolean | null): string {
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
