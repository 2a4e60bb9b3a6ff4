import type { SqlType, WarehouseKind } from './sql-type.ts';

/**
 * The forms in which a warehouse accepts a text as a value of another type. Each form is the source of a regular
 * expression, which matches the whole text and means the same in JavaScript and in DuckDB.
 */
export interface TextForms {
  /** Texts that are values of the type and that DuckDB reads in the same way. They may still be out of range. */
  readonly plain: string;
  /** Decimal numbers with an exponent. DuckDB rounds them wrongly. */
  readonly scientific?: string;
  /** Timestamps with a space before the time zone offset. DuckDB does not accept the space. */
  readonly spaced?: string;
  /** A number of seconds, milliseconds or smaller units since the epoch. */
  readonly epoch?: string;
  /**
   * Texts that may or may not be values: their meaning depends on settings, is not documented, or is not supported. A
   * text that matches none of the forms is an error in the warehouse, and NULL for TRY_CAST.
   */
  readonly unsure: string;
}

export type TextForm = keyof TextForms;

const SPACE = String.raw`[ \t\r\n\f\v]*`;
const ANYTHING = String.raw`[\d\D]*`;

const YEAR = String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`;
const DAY = String.raw`${YEAR}-\d{1,2}-\d{1,2}`;
const MINUTES = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d`;
/** Seconds have at most six decimal places, because DuckDB keeps microseconds. */
const SECONDS = String.raw`:[0-5]\d(?:\.\d{1,6}0{0,3})?`;
const TIME_OF_DAY = `${MINUTES}(?:${SECONDS})?`;
const OFFSET = String.raw`[+-](?:0\d|1[0-4]):?[0-5]\d`;

/** A date with its time; DuckDB reads an offset only after the seconds. */
const PLAIN_MOMENT = String.raw`${DAY}(?:[ T]${MINUTES}(?:${SECONDS}(?:Z|${OFFSET}|[+-](?:0\d|1[0-4]))?)?)?`;
const SPACED_MOMENT = `${DAY}[ T]${MINUTES}${SECONDS} ${OFFSET}`;

const CLOCK = String.raw`\d{1,2}:[\d:.,]*${SPACE}(?:[AaPp]\.?[Mm]\.?)?${SPACE}(?:[Zz]|UTC|GMT|[+-][\d:]+)?`;
const NUMERIC_DAY = String.raw`(?:[+-]?\d{1,9}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{1,9})`;
const MONTH = `(?:${'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map(inAnyCase).join('|')})[A-Za-z]*`;
const DAY_NAME = `(?:${'mon tue wed thu fri sat sun'.split(' ').map(inAnyCase).join('|')})[A-Za-z]*`;

/** Texts that `WAREHOUSE_ONE` may recognise as a date or a time, in addition to the forms that the engine reads. */
const UNSURE_MOMENT = `${SPACE}(?:${[
  String.raw`[+-]?\d+`,
  String.raw`${NUMERIC_DAY}(?:[ T]${SPACE}(?:\d{1,2}|${CLOCK}))?`,
  String.raw`${NUMERIC_DAY}${SPACE}(?:[Zz]|UTC|GMT|[+-]\d{1,2}:\d{2})`,
  String.raw`\d{1,2}[-/ ]${MONTH}[-/ ]\d+(?:[ T]${ANYTHING})?`,
  String.raw`(?:${DAY_NAME},? )?(?:${MONTH} )?\d{1,2},? (?:${MONTH} )?\d${ANYTHING}`,
  CLOCK,
].join('|')})${SPACE}`;
const UNSURE_TIME = `${SPACE}(?:${[
  String.raw`[+-]?\d+`,
  `(?:${NUMERIC_DAY}[ T]${SPACE})?${CLOCK}`,
  NUMERIC_DAY,
].join('|')})${SPACE}`;

/** `WAREHOUSE_TWO` reads many more forms. All of them contain a digit or one of these words. */
const WORDS = ['now', 'today', 'tomorrow', 'yesterday', 'epoch', 'infinity', 'allballs'].map(inAnyCase);
const UNSURE_OF_TWO = String.raw`${ANYTHING}\d${ANYTHING}|${SPACE}[+-]?(?:${WORDS.join('|')})${SPACE}`;

const DIGITS = String.raw`(?:\d+\.?\d*|\.\d+)`;
/** The maximum number of digits in the exponent of a decimal number. */
export const EXPONENT_DIGITS = 2;
/** Floating-point numbers that are certainly within the range of the type. */
const PLAIN_FLOAT = [
  String.raw`[+-]?(?:\d{1,60}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?`,
  String.raw`[+-]?\d\.?\d*[eE][+-]?(?:[12]\d{2}|30[0-7])`,
].join('|');
const NAN = inAnyCase('nan');
const INFINITY = inAnyCase('inf');
const ANY_NUMBER = String.raw`[+-]?${DIGITS}(?:[eE][+-]?\d+)?`;
const UNSURE_NUMBER = `${SPACE}${ANY_NUMBER}${SPACE}`;
const UNSURE_FLOAT = `${SPACE}(?:${ANY_NUMBER}|[+-]?${NAN}|[+-]?${INFINITY}(?:${inAnyCase('inity')})?)${SPACE}`;

const TRUTH = String.raw`true|t|yes|y|1|false|f|no|n|0`;
/** `WAREHOUSE_TWO` may accept shortened forms of its words, and other words, as PostgreSQL does. */
const UNSURE_TRUTH = 'tru?|fa|fals?|ye|on|off?';

function inAnyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** The forms of texts for a type. Undefined for a type to which no text can be converted. */
export function textForms(type: SqlType, kind: WarehouseKind): TextForms | undefined {
  if (kind === 'WAREHOUSE_ONE') return formsOfOne(type);
  const forms = formsOfTwo(type);
  // No page says what TRY_CAST of `WAREHOUSE_TWO` gives for a blank text.
  return forms && { ...forms, unsure: `${forms.unsure}|${SPACE}` };
}

/** `WAREHOUSE_ONE` ignores spaces around numbers. */
function formsOfOne({ name }: SqlType): TextForms | undefined {
  const moment: TextForms = { plain: PLAIN_MOMENT, spaced: SPACED_MOMENT, unsure: UNSURE_MOMENT };
  if (name === 'DATE' || name === 'TIMESTAMP') return { ...moment, epoch: String.raw`\d{1,18}` };
  if (name === 'TIMESTAMP_TZ') return moment;
  if (name === 'TIME') return { plain: TIME_OF_DAY, unsure: UNSURE_TIME };
  if (name === 'BOOLEAN') {
    const plain = inAnyCase(`${TRUTH}|on|off`);
    return { plain, unsure: `${SPACE}(?:${plain})${SPACE}` };
  }
  if (name === 'FLOAT') return { plain: ` *(?:${PLAIN_FLOAT}) *|${NAN}|-?${INFINITY}`, unsure: UNSURE_FLOAT };
  if (name !== 'NUMBER') return undefined;
  const scientific = String.raw` *[+-]?${DIGITS}[eE][+-]?\d{1,${EXPONENT_DIGITS}} *`;
  return { plain: ` *[+-]?${DIGITS} *`, scientific, unsure: UNSURE_NUMBER };
}

function formsOfTwo({ name }: SqlType): TextForms | undefined {
  if (name === 'DATE')
    return { plain: String.raw`${DAY}(?: ${MINUTES}:[0-5]\d(?:\.\d{1,6})?)?`, unsure: UNSURE_OF_TWO };
  if (name === 'TIME') return { plain: TIME_OF_DAY, unsure: UNSURE_OF_TWO };
  if (name === 'TIMESTAMP' || name === 'TIMESTAMP_TZ')
    return { plain: PLAIN_MOMENT, spaced: SPACED_MOMENT, unsure: UNSURE_OF_TWO };
  if (name === 'BOOLEAN')
    return {
      plain: inAnyCase(TRUTH),
      unsure: `${SPACE}(?:${inAnyCase(`${TRUTH}|${UNSURE_TRUTH}`)})${SPACE}`,
    };
  if (name === 'FLOAT') return { plain: PLAIN_FLOAT, unsure: UNSURE_FLOAT };
  if (name === 'NUMBER') return { plain: `[+-]?${DIGITS}`, unsure: UNSURE_NUMBER };
  const isWhole = name === 'SMALLINT' || name === 'INTEGER' || name === 'BIGINT';
  return isWhole ? { plain: String.raw`[+-]?\d+`, unsure: String.raw`${SPACE}[+-]?\d+${SPACE}` } : undefined;
}

const ORDER: readonly TextForm[] = ['plain', 'scientific', 'spaced', 'epoch', 'unsure'];

const compiled = new Map<string, RegExp>();

/** The first form that matches a text. Undefined if none matches, so that the warehouse refuses the text. */
export function formOf(text: string, forms: TextForms): TextForm | undefined {
  return ORDER.find((form) => {
    const source = forms[form];
    return source !== undefined && wholeText(source).test(text);
  });
}

function wholeText(source: string): RegExp {
  const cached = compiled.get(source);
  if (cached !== undefined) return cached;
  const pattern = new RegExp(`^(?:${source})$`);
  compiled.set(source, pattern);
  return pattern;
}
