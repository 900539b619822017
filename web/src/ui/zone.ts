let zone = 'America/New_York';

/** Sets whose days and times count: those of the business, wherever the reader is. */
export function setZone(timeZone: string): void {
  zone = timeZone;
}

export const businessZone = () => zone;
