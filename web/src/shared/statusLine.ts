/** Told on the page that changed the line above all screens, for it to be asked for at once. */
export const statusChanged = 'wcpp.status';

export const tellStatusChanged = () => window.dispatchEvent(new Event(statusChanged));
