/** Semi-structured data that is already written as JSON text, so that a row of many columns needs no map. */
export class WrittenJson {
  readonly text: string;

  /** @param text as `writeJson` gives it */
  constructor(text: string) {
    this.text = text;
  }
}
