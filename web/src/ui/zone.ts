let zone = 'America/New_York';

/** Sets the business time zone, which all dates and times use wherever the reader is. */
export function setZone(timeZone: string): void {
  zone = timeZone;
}

export const getBusinessZone = () => zone;
