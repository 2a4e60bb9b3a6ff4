/**
 * Semi-structured data that is already JSON text. A row with many values can be stored as such a text, without a Map
 * for its values.
 */
export class WrittenJson {
  readonly text: string;

  /** @param text a JSON text as `writeJson` writes it */
  constructor(text: string) {
    this.text = text;
  }
}
