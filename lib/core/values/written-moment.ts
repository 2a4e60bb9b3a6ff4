/** A valid date with a time, and a zone in minutes east of UTC. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `HH:MM:SS` */
  readonly time: string;
  /** Without zeros at the end. */
  readonly fraction: string;
  readonly zone: number;
}

/** A year has four digits; a later one has five or six, as the engine writes it, and no zero before them. */
const momentForm =
  /^(\d{4}|[1-9]\d{4,5})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?: ?(Z|([+-])(\d{2}):?(\d{2})?))?)?$/;

/**
 * Parses `YYYY-MM-DD`, alone or with `HH:MM:SS[.f]` after a blank or `T`, and with a zone; undefined for any other
 * text.
 */
export function parseMoment(text: string): Moment | undefined {
  const [, year, month, day, time = '00:00:00', digits = '', , sign, hours = '0', minutes = '0'] =
    momentForm.exec(text) ?? [];
  const east = Number(hours) * 60 + Number(minutes);
  const moment = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    time,
    fraction: digits.replace(/0+$/, ''),
    zone: sign === '-' ? -east : east,
  };
  const isValid =
    year !== undefined && isDay(moment) && isTime(time) && Number(minutes) < 60 && east <= 14 * 60;
  return isValid ? moment : undefined;
}

function isDay({ year, month, day }: Moment): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days;
}

/** Whether a text is a time of day, `HH:MM:SS`. */
export function isTime(time: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time);
}

/** The same moment in UTC; undefined if its year is out of range. */
export function inUtc(moment: Moment): Moment | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = moment.time.split(':').map(Number);
  const at = new Date(0);
  at.setUTCFullYear(moment.year, moment.month - 1, moment.day);
  at.setUTCHours(hours, minutes - moment.zone, seconds);
  const year = at.getUTCFullYear();
  if (!(year > 0)) return undefined;
  const time = at.toISOString().slice(-13, -5);
  return { ...moment, year, month: at.getUTCMonth() + 1, day: at.getUTCDate(), time, zone: 0 };
}
