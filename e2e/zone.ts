export const dateIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date());

/** Notifications of today are sent from 8:00 am on: before that, the portal's clock stands further east, on the same day. */
export const zone = dateIn('America/New_York').slice(11) < '08:00' ? 'Etc/GMT-4' : 'America/New_York';
