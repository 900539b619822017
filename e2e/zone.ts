export const dateIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date());

/**
 * Today's notifications are sent from 8 AM: earlier, the portal's clock is set to a zone further
 * east, on the same day.
 */
export const zone = dateIn('America/New_York').slice(11) < '08:00' ? 'Etc/GMT-4' : 'America/New_York';
