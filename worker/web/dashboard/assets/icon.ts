export const iconPlace = '/assets/millrace.svg';

/** The icon of the dashboard: a water wheel, small enough for a browser tab. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#0b6e8a"/><path d="M5 13c4-4 7 4 11 0s7 4 11 0M5 20c4-4 7 4 11 0s7 4 11 0" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
